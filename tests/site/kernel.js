// The kernel of JupyterLite in a page of its own: the same Pyodide, wheels and kernel code, without the user interface.
async ([site, wheels]) => {
  const { loadPyodide } = await import(`${site}lite/static/pyodide/pyodide.mjs`);
  const pyodide = await loadPyodide({ indexURL: `${site}lite/static/pyodide/`, lockFileURL: `${site}lite/static/pyodide/pyodide-lock.json`, stdout: () => {}, stderr: () => {} });
  await pyodide.loadPackage(["ipython", "comm", "micropip", "packaging", "typing-extensions", ...wheels.map((name) => `${site}lite/extensions/@jupyterlite/pyodide-kernel-extension/static/pypi/${name}`)], { messageCallback: () => {} });
  await pyodide.runPythonAsync(`
import pyodide_kernel, sys, json
_shell, _said = pyodide_kernel.ipython_shell, []
for _stream in (pyodide_kernel.stdout_stream, pyodide_kernel.stderr_stream):
    _stream.publish_stream_callback = lambda name, text: _said.append(text) if name == "stdout" else None
_shell.send_comm = lambda *arguments: None  # widgets send their state to a page; here is none

async def _run_notebook(cells):
    _shell.reset(new_session=True)
    found = []
    for number, source in json.loads(cells):
        _said.clear()
        result = await pyodide_kernel.kernel_instance.run(source)
        if result["status"] != "ok":
            found.append([number, "error", f"{result['ename']}: {result['evalue']}"])
            break
        found.append([number, "ok", "".join(_said)])
    return json.dumps(found)
`);
  window.runNotebook = (cells) => { const run = pyodide.globals.get("_run_notebook"); return run(cells); };
  return pyodide.runPython("sys.version.split()[0]");
}
