// The kernel of JupyterLite in a worker of its own, as there: the same Pyodide, wheels and kernel code, without the user interface.
([site, wheels]) => {
  const source = `
const said = (text) => postMessage(["said", text]);
let pyodide;
const answers = {
  boot: async (site, wheels) => {
    const { loadPyodide } = await import(site + "lite/static/pyodide/pyodide.mjs");
    const folder = site + "lite/static/pyodide/", kernel = site + "lite/extensions/@jupyterlite/pyodide-kernel-extension/static/pypi/";
    pyodide = await loadPyodide({ indexURL: folder, lockFileURL: folder + "pyodide-lock.json", stdout: () => {}, stderr: () => {} });
    const packages = ["ipython", "comm", "micropip", "packaging", "typing-extensions", ...wheels.map((name) => kernel + name)];
    await pyodide.loadPackage(packages, { messageCallback: () => {} });
    pyodide.globals.set("_tell", said);
    await pyodide.runPythonAsync(\`
import pyodide_kernel, sys, json
_shell = pyodide_kernel.ipython_shell
for _stream in (pyodide_kernel.stdout_stream, pyodide_kernel.stderr_stream):
    _stream.publish_stream_callback = lambda name, text: _tell(text) if name == "stdout" else None
_shell.send_comm = lambda *arguments: None  # widgets send their state to a page; here is none

async def _run_cell(source):
    result = await pyodide_kernel.kernel_instance.run(source)
    return "" if result["status"] == "ok" else f"{result['ename']}: {result['evalue']}"
\`);
    return pyodide.runPython("sys.version.split()[0]");
  },
  reset: () => pyodide.runPython("_shell.reset(new_session=True)") && "",
  run: (source) => pyodide.globals.get("_run_cell")(source),
};
onmessage = async ({ data: [what, ...rest] }) => {
  try { postMessage(["done", await answers[what](...rest)]); } catch (error) { postMessage(["fault", String(error)]); }
};`;
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })), { type: "module" });
  // An answer is [how it ended, what was printed, what came back]; a worker that does not answer in time is ended.
  window.ask = (seconds, ...question) => new Promise((resolve) => {
    let printed = "";
    const end = (how, what) => { clearTimeout(clock); if (how === "late") worker.terminate(); resolve([how, printed, what || ""]); };
    const clock = setTimeout(() => end("late"), 1000 * seconds);
    worker.onmessage = ({ data: [how, what] }) => { if (how === "said") printed += what; else end(how, what); };
    worker.onerror = (event) => end("fault", event.message);
    worker.postMessage(question);
  });
  return window.ask(120, "boot", site, wheels);
}
