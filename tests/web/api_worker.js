// The same tests in a dedicated worker: those whose names begin with what it is sent.
onmessage = async ({data}) => {
  const {run} = await import("./api_tests.js");
  postMessage(await run(data === "worker" ? "" : data));
};
