// The worker's side of worker.js: loads the module that it is told first, then calls its functions.
import {transferable} from "./worker.js";

let functions = null;

function described(error) {
  if (error?.name === "TesseraError") return {...error, kind: error.kind, message: error.message};
  return {name: error?.name, message: String(error?.message ?? error)};
}

addEventListener("message", async ({data: {number, name, args}}) => {
  try {
    if (name === "") {
      try {
        functions = await import(/* @vite-ignore */ args[0]);
      } catch (error) {
        throw Object.assign(new Error(`The module ${args[0]} does not load: ${error.message}`), {name: "TesseraError", kind: "io"});
      }
      const names = Object.keys(functions).filter((key) => typeof functions[key] === "function");
      return postMessage({number, result: names});
    }
    const result = await functions[name](...args);
    postMessage({number, result}, [...transferable(result)]);
  } catch (error) {
    postMessage({number, error: described(error)});
  }
});
