"""Calls that need more than one argument a parameter: pairs of pack and unpack, tiles, blobs, iterators, options."""

import re

import arguments

_BUFFERS = """
  GrB_Index *Ap = nullptr, *Ah = nullptr, *Ai = nullptr, *Aj = nullptr, *vi = nullptr;
  int8_t *Ab = nullptr, *vb = nullptr;
  void *Ax = nullptr, *vx = nullptr;
  GrB_Index Ap_size = 0, Ah_size = 0, Ai_size = 0, Aj_size = 0, Ab_size = 0, Ax_size = 0, vi_size = 0, vb_size = 0;
  GrB_Index vx_size = 0, nvec = 0, nvals = 0, nrows = 0, ncols = 0, n = 0;
  bool iso = false, jumbled = false;
  GrB_Type type = nullptr;
  (void)Ap, (void)Ah, (void)Ai, (void)Aj, (void)vi, (void)Ab, (void)vb, (void)Ax, (void)vx, (void)Ap_size, (void)Ah_size;
  (void)Ai_size, (void)Aj_size, (void)Ab_size, (void)Ax_size, (void)vi_size, (void)vb_size, (void)vx_size, (void)nvec;
  (void)nvals, (void)nrows, (void)ncols, (void)n, (void)iso, (void)jumbled, (void)type;"""


def _moving_call(function, handle):
    """A pack, unpack, import or export whose other arguments are the buffers of the same names."""
    given = [handle]
    for parameter in function["parameters"][1:]:
        if parameter["base"] == "GrB_Descriptor":
            given.append("nullptr")
        else:
            given.append(("&" if parameter["pointers"] else "") + parameter["name"])
    return f"print_info({function['name']}({', '.join(given)}));"


def _moving(functions, function):
    """unpack then pack, and export then import: the function under test is one of the two."""
    kind, verb, form = re.fullmatch(r"GxB_(Matrix|Vector)_(pack|unpack|import|export)_(\w+)", function["name"]).groups()
    sibling = {"pack": "unpack", "unpack": "pack", "import": "export", "export": "import"}[verb]
    other = functions[f"GxB_{kind}_{sibling}_{form}"]
    full = form.startswith("Full")
    source = {"Matrix": "x.F" if full else "x.A", "Vector": "x.f" if full else "x.u"}[kind]
    target = {"pack": {"Matrix": "x.C", "Vector": "x.w"}[kind], "import": "made"}.get(verb, source)
    first, second = (function, other) if verb in ("unpack", "export") else (other, function)
    lines = [_BUFFERS]
    if verb == "import":
        lines.append(f"  GrB_{kind} made = nullptr;")
    reference = {"Matrix": "&", "Vector": "&"}[kind] if verb in ("import", "export") else ""
    lines.append("  " + _moving_call(first, reference + source))
    if verb in ("unpack", "export"):
        lines.append(f'  digest("emptied", {source});')
    lines.append("  " + _moving_call(second, reference + target))
    lines.append(f'  digest("result", {target});')
    if verb == "import":
        lines.append("  GrB_%s_free(&made);" % kind)
    return lines


def _export_import(function):
    """GrB_Matrix_export_T and import_T, in CSR format, element type T."""
    suffix = function["name"].rsplit("_", 1)[1]
    element = "Pair" if suffix == "UDT" else arguments.SUFFIXES[suffix]
    lines = ["  GrB_Index Ap[64] = {}, Ai[64] = {};", f"  {element} Ax[64] = {{}};"]
    type_name = "x.type" if suffix == "UDT" else ("GxB_" if suffix.startswith("FC") else "GrB_") + suffix
    if "export" in function["name"]:
        lines += ["  GrB_Index Ap_len = 64, Ai_len = 64, Ax_len = 64;", "  GrB_Matrix typed = nullptr;", f"  GrB_Matrix_new(&typed, {type_name}, N, N);",
                  "  GrB_Matrix_apply(typed, nullptr, nullptr, %s, x.A, nullptr);"
                  % ("x.unary" if suffix == "UDT" else "GrB_IDENTITY_" + suffix if not suffix.startswith("FC") else
                     "GxB_IDENTITY_" + suffix),
                  f"  print_info({function['name']}(Ap, Ai, Ax, &Ap_len, &Ai_len, &Ax_len, GrB_CSR_FORMAT, typed));",
                  '  digest_bytes("Ap", Ap, sizeof Ap), digest_bytes("Ai", Ai, sizeof Ai);',
                  '  digest_bytes("Ax", Ax, sizeof Ax);', "  GrB_Matrix_free(&typed);"]
    else:
        value = "{1, 2}" if suffix == "UDT" else f"{element}(1)"
        lines += ["  for (GrB_Index i = 0; i <= N; ++i) Ap[i] = i;",
                  f"  for (GrB_Index i = 0; i < N; ++i) Ai[i] = (i + 1) % N, Ax[i] = {element}{value if suffix == 'UDT' else '(1)'};",
                  "  GrB_Matrix made = nullptr;",
                  f"  print_info({function['name']}(&made, {type_name}, N, N, Ap, Ai, Ax, N + 1, N, N, GrB_CSR_FORMAT));",
                  '  digest("made", made);', "  GrB_Matrix_free(&made);"]
    return lines


def _build(function):
    """Once on a matrix with entries, which is an error, and once after a clear."""
    choice = arguments.Arguments(function)
    call = f"print_info({function['name']}({', '.join(choice.all())}));"
    output = choice.after[0]
    clear = "GrB_Matrix_clear(x.C);" if "Matrix" in function["name"] else "GrB_Vector_clear(x.w);"
    return ["  " + line for line in choice.before + [call, output, clear, output, call] + choice.after]


def _options(function):
    kind, verb, suffix = re.fullmatch(r"GxB_(Matrix|Vector)_Option_(get|set)_?(\w*)", function["name"]).groups()
    handle = "x.A" if kind == "Matrix" else "x.u"
    lines = []
    if suffix in ("", "INT32"):
        lines += {"set": [f"  print_info({function['name']}({handle}, GxB_SPARSITY_CONTROL, GxB_BITMAP));"] +
                         [f"  print_info({function['name']}({handle}, GxB_FORMAT, GxB_BY_COL));"] * (kind == "Matrix"),
                  "get": ["  int32_t status = -1;", f"  print_info({function['name']}({handle}, GxB_SPARSITY_STATUS, &status));",
                          '  std::printf("  status %d\\n", status);']}[verb]
    if suffix in ("", "FP64"):
        field = "GxB_BITMAP_SWITCH"
        lines += {"set": [f"  print_info({function['name']}({handle}, {field}, 0.25));"],
                  "get": ["  double value = -1;", f"  print_info({function['name']}({handle}, {field}, &value));",
                          '  std::printf("  switch %g\\n", value);']}[verb]
    return lines + [f'  digest("object", {handle});']


_SERIAL = {
    "GxB_Matrix_serialize": ("x.A", "GxB_Matrix_serialize(&blob, &size, x.A, nullptr)"),
    "GxB_Vector_serialize": ("x.u", "GxB_Vector_serialize(&blob, &size, x.u, nullptr)"),
    "GrB_Matrix_serialize": ("x.A", "GrB_Matrix_serialize(blob, &size, x.A)"),
    "GxB_Matrix_deserialize": ("x.A", "GxB_Matrix_deserialize(&made, x.type, blob, size, nullptr)"),
    "GxB_Vector_deserialize": ("x.u", "GxB_Vector_deserialize(&made, x.type, blob, size, nullptr)"),
    "GrB_Matrix_deserialize": ("x.A", "GrB_Matrix_deserialize(&made, x.type, blob, size)"),
}


def _resize(function):
    """Smaller and back again: what was outside is gone."""
    matrix = "Matrix" in function["name"]
    handle, small, large = ("x.C", "3, 4", "N, N") if matrix else ("x.w", "2", "N")
    return [f"  print_info({function['name']}({handle}, {size})); digest(\"resized\", {handle});"
            for size in ("12, 12" if matrix else "12", large)] + [
            f"  {function['name']}({handle}, {small});", f"  {function['name']}({handle}, {large});",
            f"  digest(\"back\", {handle});"]


def _serial(function):
    """Serializes and deserializes again: what comes back must be what went in."""
    name = function["name"]
    handle, call = _SERIAL[name]
    kind = "GrB_Vector" if handle == "x.u" else "GrB_Matrix"
    lines = ["  void* blob = nullptr;", "  GrB_Index size = 0;", f"  {kind} made = nullptr;"]
    if name == "GrB_Matrix_serialize":
        lines += ["  GrB_Matrix_serializeSize(&size, x.A);", "  blob = std::malloc(size);"]
    elif "deserialize" in name:
        lines.append(f"  {kind.replace('GrB', 'GxB')}_serialize(&blob, &size, {handle}, nullptr);")
    lines.append(f"  print_info({call});")
    if "deserialize" not in name:
        lines.append(f"  print_info({kind.replace('GrB', 'GxB')}_deserialize(&made, x.type, blob, size, nullptr));")
    return lines + ['  digest("made", made);', f"  {kind}_free(&made);", "  std::free(blob);"]


_FIXED = {
    "GxB_Matrix_concat": """
  const GrB_Matrix tiles[] = {x.A, x.B, x.D, x.F};
  GrB_Matrix whole = nullptr;
  GrB_Matrix_new(&whole, x.type, 2 * N, 2 * N);
  GrB_Matrix_setElement_FP64(whole, 1, 0, 0);
  digest("before", whole);
  print_info(GxB_Matrix_concat(whole, const_cast<GrB_Matrix*>(tiles), 2, 2, nullptr));
  digest("whole", whole), digest("first", x.A), digest("last", x.F);
  GrB_Matrix_free(&whole);""",
    "GxB_Matrix_split": """
  GrB_Matrix tiles[4] = {};
  const GrB_Index rows[] = {2, 4}, columns[] = {1, 5};
  print_info(GxB_Matrix_split(tiles, 2, 2, rows, columns, x.A, nullptr));
  for (GrB_Matrix& tile : tiles) digest("tile", tile), GrB_Matrix_free(&tile);""",
    "GrB_Matrix_exportSize": """
  GrB_Index Ap_len = 0, Ai_len = 0, Ax_len = 0;
  print_info(GrB_Matrix_exportSize(&Ap_len, &Ai_len, &Ax_len, GrB_CSR_FORMAT, x.A));
  std::printf("  %d %d %d\\n", (int)Ap_len, (int)Ai_len, (int)Ax_len);""",
    "GrB_Matrix_exportHint": """
  GrB_Format format = GrB_COO_FORMAT;
  GxB_Matrix_Option_set(x.A, GxB_SPARSITY_CONTROL, GxB_FULL + GxB_SPARSE);
  GrB_Matrix_assign_FP64(x.A, nullptr, nullptr, 1, GrB_ALL, N, GrB_ALL, N, nullptr);
  print_info(GrB_Matrix_exportHint(&format, x.A));
  std::printf("  format %d\\n", (int)format);""",
    "GrB_Matrix_serializeSize": """
  GrB_Index size = 0;
  print_info(GrB_Matrix_serializeSize(&size, x.F));
  std::printf("  enough %d\\n", size > N * N * sizeof(double));""",
    "GxB_Matrix_memoryUsage": """
  size_t size = 0;
  GrB_Index n = 0;
  GrB_Matrix large = nullptr;
  GrB_Matrix_new(&large, x.type, 20, 20);
  for (GrB_Index i = 0; i < 400; ++i) GrB_Matrix_setElement_FP64(large, (double)i, i / 20, i % 20);
  GrB_Matrix_nvals(&n, large);
  print_info(GxB_Matrix_memoryUsage(&size, large));
  std::printf("  enough %d\\n", size > 3000);
  GrB_Matrix_free(&large);""",
    "GxB_Vector_memoryUsage": """
  size_t size = 0;
  GrB_Index n = 0;
  GrB_Vector large = nullptr;
  GrB_Vector_new(&large, x.type, 400);
  for (GrB_Index i = 0; i < 400; ++i) GrB_Vector_setElement_FP64(large, (double)i, i);
  GrB_Vector_nvals(&n, large);
  print_info(GxB_Vector_memoryUsage(&size, large));
  std::printf("  enough %d\\n", size > 3000);
  GrB_Vector_free(&large);""",
    "GxB_Matrix_iso": """
  bool iso = false;
  GrB_Matrix_assign_FP64(x.F, nullptr, nullptr, 7, GrB_ALL, N, GrB_ALL, N, nullptr);
  print_info(GxB_Matrix_iso(&iso, x.F));
  std::printf("  iso %d\\n", iso);
  print_info(GxB_Matrix_iso(&iso, x.A));
  std::printf("  iso %d\\n", iso);""",
    "GxB_Vector_iso": """
  bool iso = false;
  GrB_Vector_assign_FP64(x.f, nullptr, nullptr, 7, GrB_ALL, N, nullptr);
  print_info(GxB_Vector_iso(&iso, x.f));
  std::printf("  iso %d\\n", iso);
  print_info(GxB_Vector_iso(&iso, x.u));
  std::printf("  iso %d\\n", iso);""",
    "GrB_Matrix_free": """
  print_info(GrB_Matrix_free(&x.C));
  digest("freed", x.C);
  GrB_Matrix made = nullptr;  // likely at the freed one's address: nothing of that may come back
  GrB_Matrix_new(&made, x.type, N, N);
  digest("made", made);
  GrB_Matrix_free(&made);""",
    "GrB_Vector_free": """
  print_info(GrB_Vector_free(&x.w));
  digest("freed", x.w);
  GrB_Vector made = nullptr;  // likely at the freed one's address: nothing of that may come back
  GrB_Vector_new(&made, x.type, N);
  digest("made", made);
  GrB_Vector_free(&made);""",
    "GxB_Vector_sort": """
  GrB_Vector p = nullptr;
  GrB_Vector_new(&p, GrB_INT64, N);
  GrB_Vector_setElement_FP64(p, 3, 0);
  print_info(GxB_Vector_sort(x.w, p, x.less, x.u, nullptr));
  digest("sorted", x.w), digest("permutation", p), digest("input", x.u);
  GrB_Vector_free(&p);
  print_info(GxB_Vector_sort(x.v, nullptr, x.less, x.v, nullptr));
  digest("in place", x.v);""",
    "GxB_Matrix_sort": """
  GrB_Matrix p = nullptr;
  GrB_Matrix_new(&p, GrB_INT64, N, N);
  GrB_Matrix_setElement_FP64(p, 3, 0, 0);
  print_info(GxB_Matrix_sort(x.C, p, x.less, x.A, nullptr));
  digest("sorted", x.C), digest("permutation", p), digest("input", x.A);
  GrB_Matrix_free(&p);""",
    "GxB_unpack_HyperHash": """
  GrB_Matrix Y = nullptr;
  double element = 0;
  GxB_Matrix_Option_set(x.A, GxB_SPARSITY_CONTROL, GxB_HYPERSPARSE);
  GrB_Matrix_extractElement_FP64(&element, x.A, 2, 3);
  print_info(GxB_unpack_HyperHash(x.A, &Y, nullptr));
  std::printf("  hash %d\\n", Y != nullptr);
  GrB_Matrix_free(&Y);
  digest("object", x.A);""",
    "GxB_pack_HyperHash": """
  GrB_Matrix Y = nullptr;
  double element = 0;
  GxB_Matrix_Option_set(x.A, GxB_SPARSITY_CONTROL, GxB_HYPERSPARSE);
  GrB_Matrix_extractElement_FP64(&element, x.A, 2, 3);
  GxB_unpack_HyperHash(x.A, &Y, nullptr);
  print_info(GxB_pack_HyperHash(x.A, &Y, nullptr));
  std::printf("  left %d\\n", Y != nullptr);
  digest("object", x.A);""",
    "GxB_Matrix_reshape": """
  print_info(GxB_Matrix_reshape(x.C, false, 4, 9, nullptr));
  digest("reshaped", x.C);""",
    "GxB_Scalar_memoryUsage": """
  size_t size = 0;
  print_info(GxB_Scalar_memoryUsage(&size, x.s));
  std::printf("  enough %d\\n", size > sizeof(double));""",
    "GxB_Scalar_fprint": """
  std::fflush(stdout);
  print_info(GxB_Scalar_fprint(x.s, "s", GxB_SHORT, stdout));""",
    "GxB_Matrix_fprint": """
  std::fflush(stdout);
  print_info(GxB_Matrix_fprint(x.A, "A", GxB_SHORT, stdout));""",
    "GxB_Vector_fprint": """
  std::fflush(stdout);
  print_info(GxB_Vector_fprint(x.m, "m", GxB_SHORT, stdout));""",
    "GrB_Matrix_apply_IndexOp_UDT": """
  const Pair thunk{1, 0};
  print_info(GrB_Matrix_apply_IndexOp_UDT(x.M, nullptr, nullptr, x.index_unary, x.A, &thunk, nullptr));
  digest("output", x.M), digest("input", x.A);""",
    "GrB_Vector_apply_IndexOp_UDT": """
  const Pair thunk{1, 0};
  print_info(GrB_Vector_apply_IndexOp_UDT(x.m, nullptr, nullptr, x.index_unary, x.u, &thunk, nullptr));
  digest("output", x.m), digest("input", x.u);""",
    "GB_Iterator_attach": """
  walk_rows(x.A, [&](GxB_Iterator iterator) { return GB_Iterator_attach(iterator, x.A, GxB_BY_ROW, nullptr); });""",
    "GxB_rowIterator_attach": """
  walk_rows(x.A, [&](GxB_Iterator iterator) { return GxB_rowIterator_attach(iterator, x.A, nullptr); });""",
    "GxB_colIterator_attach": """
  walk_columns(x.D, [&](GxB_Iterator iterator) { return GxB_colIterator_attach(iterator, x.D, nullptr); });""",
    "GxB_Matrix_Iterator_attach": """
  walk_entries(x.A, [&](GxB_Iterator iterator) { return GxB_Matrix_Iterator_attach(iterator, x.A, nullptr); });""",
    "GxB_Vector_Iterator_attach": """
  walk_vector(x.u, [&](GxB_Iterator iterator) { return GxB_Vector_Iterator_attach(iterator, x.u, nullptr); });""",
    "GrB_Matrix_error": """
  const char* text = nullptr;
  GrB_Matrix_setElement_FP64(x.A, 1, N, N);
  print_info(GrB_Matrix_error(&text, x.A));
  std::printf("  text %s\\n", text);""",
    "GrB_Vector_error": """
  const char* text = nullptr;
  GrB_Vector_setElement_FP64(x.u, 1, N);
  print_info(GrB_Vector_error(&text, x.u));
  std::printf("  text %s\\n", text);""",
}


def _free_scalar(function):
    return [f"  print_info({function['name']}(&x.t));", '  digest("freed", x.t);',
            "  GrB_Scalar made = nullptr;  // likely at the freed one's address: nothing of that may come back",
            "  GrB_Scalar_new(&made, x.type);", '  digest("made", made);', "  GrB_Scalar_free(&made);"]


def body(functions, function):
    """The lines of a special case, or None when the general rule applies."""
    name = function["name"]
    if re.fullmatch("(GrB|GxB)_Scalar_free", name):
        return _free_scalar(function)
    if name in _FIXED:
        return _FIXED[name].splitlines()[1:]
    if name in _SERIAL:
        return _serial(function)
    if re.fullmatch(r"GxB_(Matrix|Vector)_(pack|unpack|import|export)_(Hyper)?(CSR|CSC|Bitmap[RC]?|Full[RC]?)", name):
        return _moving(functions, function)
    if re.fullmatch(r"(GrB|GxB)_Matrix_(import|export)_(\w+)", name):
        return _export_import(function)
    if re.search("_Option_(get|set)", name):
        return _options(function)
    if name.endswith("_resize"):
        return _resize(function)
    if "_build" in name:
        return _build(function)
    return None
