// What the module calls in the package's JavaScript: the functions that runtime.js puts on the module.
mergeInto(LibraryManager.library, {
  tessera_js_call: (...args) => Module["onCall"](...args),
  tessera_js_piece: (...args) => Module["onPiece"](...args),
  tessera_js_read: (...args) => Module["onRead"](...args),
});
