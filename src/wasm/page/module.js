// The engine as a WebAssembly module: loading it, and calling it with strings. It runs in a worker,
// or under node for the tests. It has no files, no network and no threads.
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const ERRNO_BADF = 8;
const ERRNO_NOENT = 44;

// hooks: the functions of "page" that scripts.c imports; log(text): what the module prints.
export async function startModule(compiled, { hooks, log }) {
  let memory;
  const view = () => new DataView(memory.buffer);
  const bytes = (at, n) => new Uint8Array(memory.buffer, at, n);
  const text = (at) => {
    if (!at) return undefined;
    const all = new Uint8Array(memory.buffer);
    return decoder.decode(all.subarray(at, all.indexOf(0, at)));
  };

  const wasi = {
    clock_time_get(id, precision, at) {
      const ms = id === 0 ? Date.now() : performance.now();
      view().setBigUint64(at, BigInt(Math.round(ms * 1e6)), true);
      return 0;
    },
    random_get(at, n) {
      crypto.getRandomValues(bytes(at, n));
      return 0;
    },
    fd_write(file, parts, nParts, at) {
      let n = 0;
      for (let i = 0; i < nParts; i++) {
        const length = view().getUint32(parts + 8 * i + 4, true);
        log(decoder.decode(bytes(view().getUint32(parts + 8 * i, true), length)));
        n += length;
      }
      view().setUint32(at, n, true);
      return 0;
    },
    environ_sizes_get(n, size) {
      view().setUint32(n, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    path_open: () => ERRNO_NOENT,
    path_filestat_get: () => ERRNO_NOENT,
    poll_oneoff: () => 0,
    proc_exit(status) {
      throw new Error(`the engine ended with status ${status}`);
    },
  };
  const absent = new Proxy(wasi, { get: (all, name) => all[name] ?? (() => ERRNO_BADF) });
  const imports = { page: {}, wasi_snapshot_preview1: {} };
  for (const { module, name } of WebAssembly.Module.imports(compiled))
    imports[module][name] =
      module === 'page' ? (...words) => hooks[name](calls, ...words) : absent[name];
  const { exports } = await WebAssembly.instantiate(compiled, imports);
  memory = exports.memory;
  exports._initialize();

  // Copies bytes or a string into the module, for the time of a call.
  function give(value) {
    const data = typeof value === 'string' ? encoder.encode(`${value}\0`) : value;
    const at = exports.malloc(data.length || 1);
    if (!at) throw new Error('The engine is out of memory.');
    bytes(at, data.length).set(data);
    return at;
  }
  const calls = {
    exports,
    text,
    // Calls a function of the module; strings are copied there, other values are numbers.
    call(name, ...values) {
      const given = values.map((each) => (typeof each === 'string' ? give(each) : each));
      try {
        return exports[name](...given);
      } finally {
        values.forEach((each, i) => typeof each === 'string' && exports.free(given[i]));
      }
    },
    // A call whose result is a string that the caller frees.
    take(name, ...values) {
      const at = calls.call(name, ...values);
      const result = text(at);
      exports.free(at);
      return result;
    },
    open(database = new Uint8Array()) {
      const at = give(database);
      const isOpen = exports.open(at, database.length);
      exports.free(at);
      if (!isOpen) throw new Error(text(exports.failure()));
    },
    database() {
      const n = exports.database_size();
      const at = exports.malloc(n);
      const isRead = at && exports.database_read(at);
      const copy = isRead ? bytes(at, n).slice() : undefined;
      exports.free(at);
      return copy;
    },
    // A request as to the server: its status, type and text.
    ask(method, path, token, body) {
      const answer = calls.call('ask', method, path, token ?? '', body ?? '');
      return {
        status: exports.status(),
        type: text(exports.type()),
        text: text(answer),
      };
    },
  };
  return calls;
}
