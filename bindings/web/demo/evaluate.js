// A program's last expression: JavaScript lines over `ts`, of which the last expression is the value.
const AsyncFunction = (async () => {}).constructor;
const kHeaderLines = 2;  // that the constructor writes in front

function compiled(Kind, body) {
  try {
    return new Kind("ts", body);
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
}

/**
 * A function of `ts` that runs the lines and gives the value of the last expression: {run, waits, hasValue}. It gives a promise
 * where the lines await. Throws SyntaxError.
 */
export function program(text) {
  const lines = text.replace(/[;\s]+$/, "").split("\n");
  while (lines.length && /^\s*(\/\/.*)?$/.test(lines.at(-1))) lines.pop();
  if (!lines.length) throw new SyntaxError("There is nothing to run; type an expression, such as ts.arange(0, 6).");
  lines[lines.length - 1] = lines.at(-1).replace(/;\s*(\/\/.*)?$/, "");
  // The value begins on the last line from which on the rest is one expression.
  for (const Kind of [Function, AsyncFunction]) {
    for (let i = lines.length - 1; i >= 0; --i) {
      const made = compiled(Kind, [...lines.slice(0, i), `return (${lines.slice(i).join("\n")}\n);`].join("\n"));
      if (!(made instanceof Error)) return {run: made, waits: Kind === AsyncFunction, hasValue: true};
    }
  }
  const whole = compiled(Function, text);
  if (!(whole instanceof Error)) return {run: whole, waits: false, hasValue: false};
  const waiting = compiled(AsyncFunction, text);
  if (!(waiting instanceof Error)) return {run: waiting, waits: true, hasValue: false};
  throw /await/.test(text) ? waiting : whole;
}

/** The line of the program that an error of its run came from: "3 | const y = ...", or "". */
export function lineOf(error, text) {
  const found = /<anonymous>:(\d+):\d+/.exec(error?.stack ?? "");
  const number = found ? Number(found[1]) - kHeaderLines : 0;
  const line = text.split("\n")[number - 1];
  return line === undefined ? "" : `${number} | ${line}`;
}
