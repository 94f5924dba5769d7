#!/usr/bin/env python3
"""Compiles every WGSL file of a folder in headless Chromium, whose checks are stricter than naga's.

Exit codes: 0 all compile, 1 some do not, 77 no Chromium or no WebGPU in it (a visible skip for ctest).
Texts that enable wgpu_cooperative_matrix, which only our own provider has, are left out and counted.
Text is adapted to the browser's dialect: subgroups are enabled by a directive, and where its adapter has no f16 the type is
replaced by f32, so that everything but the type itself is checked.
"""

import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

# The pattern of functions that need subgroups, as the provider has it.
NAMES = re.search(r"const names = (/.*/);", (pathlib.Path(__file__).parent.parent / "providers/web/webgpu.js").read_text())[1].encode()
PAGE = b"""<!doctype html><title>wgsl</title><script type="module">
const report = (body) => fetch("/result", {method: "POST", body: JSON.stringify(body)});
try {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) { await report({skip: "this Chromium offers no WebGPU adapter"}); throw 0; }
  const features = ["shader-f16", "subgroups"].filter((f) => adapter.features.has(f));
  const limits = {};
  for (const name of ["maxStorageBuffersPerShaderStage", "maxComputeWorkgroupStorageSize", "maxComputeInvocationsPerWorkgroup",
                      "maxComputeWorkgroupSizeX"]) limits[name] = adapter.limits[name];
  const device = await adapter.requestDevice({requiredFeatures: features, requiredLimits: limits});
  const files = await (await fetch("/files")).json();
  const failures = [];
  let replaced = 0, unsupported = 0;
  for (const [name, text] of files) {
    let code = text;
    if (SUBGROUP_NAMES.test(code)) {
      if (!features.includes("subgroups")) { ++unsupported; continue; }
      code = "enable subgroups;\\n" + code;
    }
    if (/^enable f16;/m.test(code) && !features.includes("shader-f16")) {
      code = code.replace(/^enable f16;/m, "").replace(/\\bf16\\b/g, "f32");
      ++replaced;
    }
    device.pushErrorScope("validation");
    const info = await device.createShaderModule({code}).getCompilationInfo();
    await device.popErrorScope();
    const error = info.messages.find((m) => m.type === "error");
    if (error) failures.push([name, error.lineNum, error.message, code.split("\\n")[error.lineNum - 1] ?? ""]);
  }
  await report({count: files.length, replaced, unsupported, failures});
} catch (e) { if (e !== 0) await report({fatal: String(e)}); }
</script>""".replace(b"SUBGROUP_NAMES", NAMES)


def serve(files):
    done = threading.Event()
    result = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *args):
            pass

        def answer(self, body, kind):
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            if self.path == "/files":
                self.answer(json.dumps(files).encode(), "application/json")
            else:
                self.answer(PAGE, "text/html")

        def do_POST(self):
            result.update(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.answer(b"", "text/plain")
            done.set()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, done, result


def main():
    folder = pathlib.Path(sys.argv[1])
    files = sorted((f.name, f.read_text()) for f in folder.glob("*.wgsl"))
    if not files:
        print(f"check_wgsl: {folder} holds no .wgsl files; run the tests that make them first.")
        return 1
    own = [f for f in files if "enable wgpu_cooperative_matrix;" in f[1]]
    files = [f for f in files if f not in own]
    print(f"check_wgsl: {len(own)} files are left out, for matrix units, which no browser has.")
    browser = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
    if browser is None:
        print("check_wgsl: skipped, no Chromium is installed.")
        return 77
    server, done, result = serve(files)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:  # the browser may still write there
        process = subprocess.Popen(
            [browser, "--headless=new", "--no-sandbox", "--enable-unsafe-webgpu", "--no-first-run", "--disable-quic",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             f"--user-data-dir={profile}", f"http://localhost:{server.server_address[1]}/"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        finished = done.wait(600)
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
    if not finished:
        print("check_wgsl: Chromium gave no answer within 600 s.")
        return 1
    if "skip" in result:
        print(f"check_wgsl: skipped, {result['skip']}.")
        return 77
    if "fatal" in result:
        print(f"check_wgsl: {result['fatal']}")
        return 1
    for name, line, message, text in result["failures"][:20]:
        print(f"{name}:{line}: {message}\n    {text}")
    print(f"check_wgsl: {result['count'] - len(result['failures']) - result['unsupported']} of {result['count']} files compile in "
          f"Chromium; {result['replaced']} of them with f32 for f16; {result['unsupported']} need a feature that it lacks.")
    return 1 if result["failures"] or result["unsupported"] else 0


if __name__ == "__main__":
    sys.exit(main())
