#!/usr/bin/env python3
"""The interposer's generator: what it reads from prototypes, and what it refuses."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GENERATOR = ROOT / "tools/interposer"
HEADER = os.environ["INTERPOSER_HEADER"]
COMPILER = os.environ.get("INTERPOSER_COMPILER", "cc")
sys.path.insert(0, str(GENERATOR))

import conformance  # noqa: E402
import declarations  # noqa: E402
import header as header_module  # noqa: E402
import objects  # noqa: E402
import operations  # noqa: E402
import published  # noqa: E402
import roles  # noqa: E402

PRELUDE = """
typedef unsigned long GrB_Index ;
typedef enum { GrB_SUCCESS = 0, GrB_PANIC = -101 } GrB_Info ;
typedef enum { GxB_FORMAT = 1 } GxB_Option_Field ;
typedef struct GB_Vector_opaque *GrB_Vector ;
typedef struct GB_Matrix_opaque *GrB_Matrix ;
typedef struct GB_Scalar_opaque *GrB_Scalar ;
typedef struct GB_Descriptor_opaque *GrB_Descriptor ;
typedef void (*GxB_unary_function) (void *, const void *) ;
"""


def parse(declarations):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "GraphBLAS.h"
        path.write_text(PRELUDE + declarations)
        return header_module.parse(header_module.preprocess(str(path), COMPILER))


def generate(listed=GENERATOR / "declarations.txt", table=ROOT / "src/capi/operations.def"):
    """The finished process, and the files that it has written."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-B", str(GENERATOR / "generate.py"), "--declarations", str(listed),
                   "--objects", str(GENERATOR / "objects.txt"), "--operations", str(table), "--types", str(ROOT / "semirings/types.def"), "--output", folder]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done, {path.name: path.read_text() for path in pathlib.Path(folder).rglob("*") if path.is_file()}


class Parsing(unittest.TestCase):
    def test_reads_every_kind_of_parameter(self):
        found = parse("""
            extern GrB_Info GrB_one (GrB_Vector w, const GrB_Index *I, const char **text, unsigned int *version,
                void * (* allocate) (size_t, void *), GrB_Index sizes [3], double) ;
            extern GrB_Info GxB_two (GxB_Option_Field field, ...) ;
            extern _Bool GrB_three (void) ;""")
        one, two, three = found.functions
        self.assertEqual([parameter.base for parameter in one.parameters],
                         ["GrB_Vector", "GrB_Index", "char", "unsigned int", "function", "GrB_Index", "double"])
        self.assertEqual([parameter.pointers for parameter in one.parameters], [0, 1, 2, 1, 0, 1, 0])
        self.assertEqual([parameter.name for parameter in one.parameters],
                         ["w", "I", "text", "version", "allocate", "sizes", "unnamed6"])
        self.assertTrue(two.variadic)
        self.assertEqual((three.result, three.parameters), ("bool", ()))

    def test_reads_declarations_without_extern(self):
        self.assertEqual([f.name for f in parse("GrB_Info GrB_Matrix_clear (GrB_Matrix A) ;").functions],
                         ["GrB_Matrix_clear"])

    def test_finds_enums_and_callbacks(self):
        found = parse("GrB_Info GrB_x (GxB_Option_Field f, GxB_unary_function g) ;")
        self.assertLessEqual({"GrB_Info", "GxB_Option_Field"}, found.enums)
        self.assertIn("GxB_unary_function", found.callbacks)

    def test_refuses_a_header_without_functions(self):
        with self.assertRaises(header_module.HeaderError):
            parse("")

    def test_refuses_what_it_cannot_parse(self):
        with self.assertRaises(header_module.HeaderError):
            parse("GrB_Info GrB_x (int (*table) [3]) ;")


class Roles(unittest.TestCase):
    def refused(self, declaration):
        with self.assertRaises(roles.UnclassifiedParameter) as refusal:
            roles.classify(parse(declaration))
        return str(refusal.exception)

    def roles_of(self, declaration):
        found = parse(declaration)
        return [handle.role for handle in roles.handles(found.functions[0], found)]

    def test_const_handles_are_inputs_or_metadata(self):
        self.assertEqual(self.roles_of("GrB_Info GxB_new_reader (const GrB_Matrix A, const GrB_Vector u) ;"),
                         ["input", "input"])
        self.assertEqual(self.roles_of("GrB_Info GrB_Matrix_nrows (GrB_Index *n, const GrB_Matrix A) ;"), ["metadata"])

    def test_unreviewed_handle_that_is_not_const_is_refused(self):
        self.assertIn("GxB_Matrix_invert: parameter 0", self.refused("GrB_Info GxB_Matrix_invert (GrB_Matrix A) ;"))

    def test_unreviewed_pointer_to_a_handle_is_refused(self):
        self.assertIn("parameter 1", self.refused("GrB_Info GxB_make (const GrB_Matrix A, GrB_Matrix *B) ;"))

    def test_later_handle_that_is_not_const_is_refused(self):
        self.assertIn("parameter 4", self.refused(
            "GrB_Info GrB_transpose (GrB_Matrix C, const GrB_Matrix M, int accum, const GrB_Matrix A, GrB_Matrix B) ;"))

    def test_unknown_type_is_refused(self):
        self.assertIn("unknown type", self.refused(
            "typedef struct thing *GxB_Thing ; GrB_Info GxB_use (GxB_Thing thing) ;"))

    def test_family_that_does_not_fit_the_signature_is_refused(self):
        self.assertIn("no matrix, vector or scalar", self.refused("GrB_Info GrB_mxm (GrB_Index n, const GrB_Matrix A) ;"))

    def test_every_complaint_is_given(self):
        text = self.refused("GrB_Info GxB_one (GrB_Matrix A) ; GrB_Info GxB_two (GrB_Vector *v) ;")
        self.assertIn("GxB_one", text)
        self.assertIn("GxB_two", text)


class Generating(unittest.TestCase):
    def test_configuration_fails_on_an_unclassified_parameter(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "declarations.txt"
            path.write_text((GENERATOR / "declarations.txt").read_text() + "GrB_Info GxB_Matrix_invert(GrB_Matrix A);\n")
            done, files = generate(path)
        self.assertEqual(done.returncode, 1)
        self.assertIn("GxB_Matrix_invert: parameter 0", done.stderr)
        self.assertEqual(files, {})

    def test_every_declared_function_is_defined_and_exported(self):
        done, files = generate()
        self.assertEqual(done.returncode, 0, done.stderr)
        names = [function["name"] for function in json.loads(files["roles.json"])["functions"]]
        wrappers = "".join(text for name, text in files.items() if name.startswith("capi_wrappers"))
        defined = re.findall(r"^[\w ]+?[ *]((?:GrB|GxB|GB)_\w+)\(.*\) \{$", wrappers, flags=re.MULTILINE)
        by_hand = {"GrB_init", "GxB_init", "GrB_finalize"}
        self.assertEqual(sorted([*defined, *by_hand]), sorted(names))
        for name in names:
            self.assertIn(f"    {name};\n", files["cugrb.map"])

    def test_the_stand_in_has_every_function_and_object(self):
        _, files = generate()
        predefined = objects.read((GENERATOR / "objects.txt").read_text())
        for name in [function["name"] for function in json.loads(files["roles.json"])["functions"]]:
            self.assertRegex(files["GraphBLAS.h"], rf"[ *]{name}\(.*\);\n")
            self.assertIn(f"void {name}(void) {{}}\n", files["graphblas.c"])
        for name, kind in predefined.items():
            self.assertIn(f"extern {kind} {name};\n", files["GraphBLAS.h"])
            self.assertIn(f"void* {name};\n", files["graphblas.c"])

    def test_every_data_handle_is_hooked(self):
        _, files = generate()
        wrappers = "".join(text for name, text in files.items() if name.startswith("capi_wrappers"))
        for function in json.loads(files["roles.json"])["functions"]:
            if function["handles"]:
                body = re.search(rf" {function['name']}\(.*?^}}", wrappers, flags=re.MULTILINE | re.DOTALL)[0]
                for handle in function["handles"]:
                    hook = "Query query" if handle["role"] == "metadata" and "Query" in body else handle["role"]
                    self.assertIn(f"{hook}({handle['name']}", body, function["name"])

    def test_a_call_goes_straight_by_what_it_does_with_each_handle(self):
        _, files = generate()
        wrappers = "".join(text for name, text in files.items() if name.startswith("capi_wrappers"))

        def bodies(name):
            """Of the function behind the exported one, where there is one, and of the exported one."""
            return re.findall(rf" {name}\(.*?^}}", wrappers, flags=re.MULTILINE | re.DOTALL)

        def body(name):
            return bodies(name)[-1]

        self.assertRegex(body("GrB_mxv"), r"goes_straight<\d+, true, true>\(Writes{w}, Reads{mask}, Reads{A}, Reads{u}\)")
        self.assertRegex(body("GrB_Matrix_free"), r"goes_straight<\d+, false, false>\(Frees\(A\)\)")
        self.assertRegex(body("GrB_Vector_dup"), r"goes_straight<\d+, true, true>\(Reads{u}\)")
        for name in ("GrB_mxv", "GrB_Matrix_free", "GrB_Vector_dup"):
            behind, exported = bodies(name)
            self.assertIn("Call call(", behind)
            self.assertIn(f"return hooked::{name}(", exported)
            self.assertNotIn("Call call(", exported)
        # Roles do not tell what is read of a list of matrices, of a container, or of a matrix that is exported.
        for name in ("GxB_Matrix_concat", "GxB_unload_Matrix_into_Container", "GxB_Matrix_export_CSR"):
            self.assertNotIn("goes_straight", body(name))
        # Loops are known by where objects are made.
        for name in ("GrB_Vector_new", "GrB_Matrix_new"):
            self.assertIn("return call.finish_made(", body(name))
        self.assertNotIn("finish_made", body("GrB_Scalar_new"))

    def test_operations_are_declared_and_asked_first(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "operations.def"
            path.write_text("OPERATION(GrB_mxv, f, placed, Vector, Matrix Vector, Semiring, -)\nFORWARDED(*, no device version)\n")
            done, files = generate(table=path)
        self.assertEqual(done.returncode, 0, done.stderr)
        wrappers = "".join(text for name, text in files.items() if name.startswith("capi_wrappers"))
        self.assertEqual(re.findall(r"offload::(\w+)\(", wrappers), ["GrB_mxv"])
        self.assertEqual(re.findall(r"^Outcome (\w+)\(", files["offload_functions.h"], flags=re.MULTILINE), ["GrB_mxv"])

    def test_the_left_side_of_a_call_arrives_as_one(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "operations.def"
            path.write_text("OPERATION(GrB_mxv, f, placed, Vector, Matrix Vector, Semiring, -)\n"
                            "OPERATION(GrB_Row_assign, f, placed, Matrix, Vector, -, i J)\n"
                            "OPERATION(GxB_Vector_Option_get, f, resident, value, Vector, -, -)\nFORWARDED(*, why)\n")
            done, files = generate(table=path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Outcome GrB_mxv(const Target<GrB_Vector>& w, const GrB_Semiring semiring, const GrB_Matrix A, "
                      "const GrB_Vector u);", files["offload_functions.h"])
        self.assertIn("Outcome GrB_Row_assign(GrB_Matrix C, const GrB_Vector mask,", files["offload_functions.h"])
        self.assertIn("int field, void* word, double real);", files["offload_functions.h"])
        wrappers = "".join(text for name, text in files.items() if name.startswith("capi_wrappers"))
        self.assertIn("real_into = [=](GrB_Vector out) { return cugrb::real::table().GrB_mxv(out, mask, accum, semiring, A, u, desc); };",
                      wrappers)
        self.assertIn("offload::GrB_mxv({w, mask, accum, desc, real_into}, semiring, A, u)", wrappers)
        self.assertIn("offload::GrB_Row_assign(C, mask, accum, u, i, J, nj, desc)", wrappers)

    def test_configuration_fails_on_a_contradiction(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "operations.def"
            path.write_text("OPERATION(GrB_no_such_function, f, placed, Vector, Vector, -, -)\n")
            done, files = generate(table=path)
        self.assertEqual(done.returncode, 1)
        self.assertIn("operations.def: GrB_no_such_function: no version declares GrB_no_such_function", done.stderr)
        self.assertEqual(files, {})


class Operations(unittest.TestCase):
    LISTED = """
// versions 7.4 to now
GrB_Info GrB_mxv(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Semiring semiring, const GrB_Matrix A, const GrB_Vector u, const GrB_Descriptor desc);
GrB_Info GrB_Vector_extract(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u, const GrB_Index* I, GrB_Index ni, const GrB_Descriptor desc);
GrB_Info GrB_Vector_setElement_BOOL(GrB_Vector w, bool x, GrB_Index i);
GrB_Info GrB_Vector_setElement_FP32(GrB_Vector w, float x, GrB_Index i);
GrB_Info GrB_Vector_setElement_UDT(GrB_Vector w, void* x, GrB_Index i);
GrB_Info GrB_Vector_nvals(GrB_Index* nvals, const GrB_Vector v);
GrB_Info GxB_Vector_Option_get(GrB_Vector A, int field, ...);
GrB_Info GrB_Vector_size(GrB_Index* n, const GrB_Vector v);
GrB_Info GrB_init(int mode);
"""
    MXV = "OPERATION(GrB_mxv, operations::mxv, placed, Vector, Matrix Vector, Semiring, -)\n"
    REST = "FORWARDED(*, no device version)\n"

    def rows(self, text):
        header = declarations.read(self.LISTED)
        return operations.read(text, header, roles.classify(header), {"BOOL": "GrB", "FP32": "GrB"})

    def refused(self, text):
        with self.assertRaises(operations.OperationError) as refusal:
            self.rows(text)
        return str(refusal.exception)

    def test_names_are_expanded(self):
        [row, rest] = self.rows("OPERATION(GrB_Vector_setElement_{TYPE,UDT}, f, resident, Vector, value, -, i)\n" + self.REST)
        self.assertEqual(row.functions, ("GrB_Vector_setElement_BOOL", "GrB_Vector_setElement_FP32", "GrB_Vector_setElement_UDT"))
        self.assertEqual(rest.functions, ("GrB_mxv", "GrB_Vector_extract", "GrB_Vector_nvals", "GxB_Vector_Option_get"))

    def test_a_name_with_a_star_leaves_what_another_row_names(self):
        first, second = self.rows("FORWARDED(*, a, with a comma)\n// a comment\n" + self.MXV)
        self.assertNotIn("GrB_mxv", first.functions)
        self.assertEqual(second.functions, ("GrB_mxv",))
        self.assertEqual(first.columns["why"], "a, with a comma")

    def test_every_shape_is_read_from_the_declaration(self):
        self.rows(self.MXV + "OPERATION(GrB_Vector_extract, f, placed, object, Vector, -, I)\n"
                  "OPERATION(GrB_Vector_nvals, f, resident, value, object, -, -)\n"
                  "OPERATION(GxB_Vector_Option_get, f, resident, value, object, -, -)\n" + self.REST)

    def test_a_list_may_be_a_vector(self):
        header = declarations.read("""
// versions 10.0 to now
GrB_Info GxB_Matrix_extract_Vector(GrB_Matrix C, const GrB_Matrix Mask, const GrB_BinaryOp accum, const GrB_Matrix A, const GrB_Vector I_vector, const GrB_Vector J_vector, const GrB_Descriptor desc);
""")
        [row] = operations.read("OPERATION(GxB_Matrix_extract_Vector, f, placed, Matrix, Matrix, -, I J)\n", header,
                                roles.classify(header), [])
        self.assertEqual(row.functions, ("GxB_Matrix_extract_Vector",))

    def test_a_column_that_differs_from_the_declaration_is_named(self):
        for written, words in (("placed, Matrix, Matrix Vector, Semiring, -", "output 'Matrix'"),
                               ("placed, Vector, Matrix, Semiring, -", "inputs 'Matrix'"),
                               ("placed, Vector, Matrix Vector, {BinaryOp,Monoid}, -", "operator '{BinaryOp,Monoid}'"),
                               ("placed, Vector, Matrix Vector, Semiring, I", "lists 'I'"),
                               ("somewhere, Vector, Matrix Vector, Semiring, -", "'somewhere' is not one of")):
            self.assertIn(words, self.refused(f"OPERATION(GrB_mxv, f, {written})\n" + self.REST))

    def test_a_function_has_one_row(self):
        self.assertIn("GrB_mxv is in two rows", self.refused(self.MXV + "HOST(GrB_mxv, why)\n" + self.REST))

    def test_an_operation_is_declared(self):
        self.assertIn("no version declares GrB_vxm", self.refused(self.MXV.replace("GrB_mxv", "GrB_vxm") + self.REST))

    def test_a_row_has_a_function(self):
        self.assertIn("GrB_v*: no function is left", self.refused(self.MXV + "HOST(GrB_v*, why)\n" + self.REST))

    def test_a_function_with_data_has_a_row(self):
        self.assertIn("no row says where these run: GrB_Vector_extract, GrB_Vector_nvals",
                      self.refused(self.MXV + "HOST(GrB_Vector_setElement_{BOOL,FP32,UDT}, why)\n"))

    def test_a_function_without_data_is_no_operation(self):
        self.assertIn("GrB_init has no matrix", self.refused("OPERATION(GrB_init, f, placed, -, value, -, -)\n" + self.REST))

    def test_a_line_that_is_no_row_is_named(self):
        self.assertIn("line 1", self.refused("OPERATIONS(GrB_mxv)\n"))
        self.assertIn("line 1: OPERATION takes", self.refused("OPERATION(GrB_mxv, f, placed)\n"))


class Conformance(unittest.TestCase):
    HEADER = declarations.read("""
// versions 7.4 to now
GrB_Info GrB_Vector_setElement_BOOL(GrB_Vector w, bool x, GrB_Index i);
GrB_Info GrB_Vector_setElement_FP32(GrB_Vector w, float x, GrB_Index i);
GrB_Info GrB_Vector_size(GrB_Index* n, const GrB_Vector v);
GrB_Info GrB_init(int mode);
// versions 10.0 to now
GrB_Info GrB_Vector_setElement_Scalar(GrB_Vector w, GrB_Scalar x, GrB_Index i);
// versions 7.4 to 9.4
GrB_Info GxB_Vector_fprint(GrB_Vector v, const char* name, int level, FILE* file);
""")

    def test_every_function_has_its_place(self):
        table, types = roles.classify(self.HEADER), {"BOOL": "GrB", "FP32": "GrB"}
        rows = operations.read("OPERATION(GrB_Vector_setElement_{TYPE,Scalar}, f, resident, Vector, value, -, i)\n"
                               "HOST(*, printed)\n", self.HEADER, table, types)
        lines = conformance.page(self.HEADER, table, rows, types).splitlines()
        for line in ("| `GrB_Vector_setElement_TYPE` | f | resident | Vector | value | - | i | all |",
                     "| `GrB_Vector_setElement_Scalar` | f | resident | Vector | value | - | i | from 10.0 |",
                     "| `GxB_Vector_fprint` | printed | to 9.4 |", "| `GrB_init` | - | all |",
                     "| [the device](#on-the-device) | 3 |", "| [metadata](#metadata) | 1 |", "| [forwarded](#forwarded) | 0 |"):
            self.assertIn(line, lines)
        self.assertTrue(any(line.startswith("| `GrB_Vector_size` |") for line in lines))

    def test_a_type_that_lacks_a_form_keeps_them_apart(self):
        self.assertEqual(conformance.families(["f_BOOL", "f_FP32", "g_BOOL", "h"], {"BOOL": "GrB", "FP32": "GrB"}),
                         ["f_TYPE", "g_BOOL", "h"])

    def test_functions_of_complex_types_are_of_the_family(self):
        types = {"BOOL": "GrB", "FC32": "GxB"}
        self.assertEqual(operations.of_type("GrB_f_TYPE", "FC32", "GxB"), "GxB_f_FC32")
        self.assertEqual(conformance.families(["GrB_f_BOOL", "GxB_f_FC32", "GxB_g_BOOL", "GxB_g_FC32", "GxB_h_FC32"], types),
                         ["GrB_f_TYPE", "GxB_g_TYPE", "GxB_h_FC32"])

    def test_the_page_names_every_function(self):
        text = conformance.current()
        types = operations.suffixes((ROOT / "semirings/types.def").read_text())
        for function in declarations.read((GENERATOR / "declarations.txt").read_text()).functions:
            family = re.sub(rf"_({'|'.join(types)})$", "_TYPE", function.name)
            names = (function.name, family, re.sub("^GxB_", "GrB_", family))
            self.assertTrue(any(f"`{name}`" in text for name in names), function.name)

    def test_every_operation_is_a_function(self):
        headers = {layer: "".join(path.read_text() for path in (ROOT / "src" / layer).glob("*.h"))
                   for layer in ("operations", "mirror")}
        for name in re.findall(r"^OPERATION\(.*? (\w+::\w+), ", (ROOT / "src/capi/operations.def").read_text(), flags=re.MULTILINE):
            layer, function = name.split("::")
            self.assertRegex(headers[layer], rf"\b{function}\(", name)


class Objects(unittest.TestCase):
    def test_sets_and_choices_are_expanded(self):
        self.assertEqual(objects.read("// a comment\nREAL = {FP32,FP64}\nGrB_Monoid GxB_{MIN,MAX}_{REAL}_MONOID GrB_x\n"),
                         dict.fromkeys(("GxB_MIN_FP32_MONOID", "GxB_MIN_FP64_MONOID", "GxB_MAX_FP32_MONOID",
                                        "GxB_MAX_FP64_MONOID", "GrB_x"), "GrB_Monoid"))

    def test_refuses_what_says_nothing(self):
        for text in ("GrB_Monoid\n", "GrB_Type GrB_BOOL\nGrB_Type GrB_{BOOL,FP32}\n", "GrB_Type GrB_{REAL}\n"):
            with self.assertRaises(objects.ObjectError):
                objects.read(text)

    def test_the_list_is_that_of_the_installed_header(self):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", pathlib.Path(HEADER).read_text(), flags=re.DOTALL)
        kinds = "Type|Descriptor|UnaryOp|BinaryOp|IndexUnaryOp|SelectOp|Monoid|Semiring"
        found = {name: kind for kind, names in re.findall(rf"\bGB_PUBLIC\s+(G[rx]B_(?:{kinds}))\b([\w\s,]+);", text)
                 for name in re.findall(r"\w+", names)}
        self.assertEqual(objects.read((GENERATOR / "objects.txt").read_text()), found)


class Declarations(unittest.TestCase):
    LISTED = """
// versions 7.4 to now
GrB_Info GrB_init(int mode);
// versions 7.4 to 9.4
GrB_Info GxB_old(GrB_Vector v);
// versions 10.0 to now
GrB_Info GxB_new(GrB_Vector v, uint64_t n);
"""

    def differences(self, prototypes, version):
        return list(published.differences(declarations.read(self.LISTED), parse(prototypes), version))

    def test_versions(self):
        first, old, new = declarations.read(self.LISTED).functions
        self.assertEqual([declarations.has(f, "9.4") for f in (first, old, new)], [True, True, False])
        self.assertEqual([declarations.has(f, "10.3") for f in (first, old, new)], [True, False, True])

    def test_a_function_is_listed_once(self):
        with self.assertRaises(header_module.HeaderError):
            declarations.read(self.LISTED + "GrB_Info GrB_init(int mode);\n")

    def test_the_same_functions(self):
        self.assertEqual(self.differences(
            "typedef enum { A = 0 } GrB_Mode ; GrB_Info GrB_init (GrB_Mode m) ; GrB_Info GxB_new (GrB_Vector w, GrB_Index k) ;",
            "10.0"), [])

    def test_an_unlisted_function_is_named(self):
        self.assertEqual(self.differences(
            "GrB_Info GrB_init (int m) ; GrB_Info GxB_old (GrB_Vector v) ; GrB_Info GxB_other (GrB_Vector v) ;", "8.0"),
            ["8.0 declares GxB_other, declarations.txt does not"])

    def test_another_version_than_listed_is_named(self):
        self.assertEqual(self.differences("GrB_Info GrB_init (int m) ;", "7.4"), ["declarations.txt says that 7.4 has GxB_old"])

    def test_another_signature_is_named(self):
        [difference] = self.differences("GrB_Info GrB_init (int m) ; GrB_Info GxB_old (GrB_Matrix A) ;", "9.0")
        self.assertIn("GxB_old: ['GrB_Vector']", difference)

    def test_the_installed_header_is_listed(self):
        version = re.search(r"GxB_IMPLEMENTATION_MAJOR (\d+)\n#define GxB_IMPLEMENTATION_MINOR (\d+)",
                            pathlib.Path(HEADER).read_text())
        known = declarations.read((GENERATOR / "declarations.txt").read_text())
        self.assertEqual(list(published.differences(known, published.read_header(HEADER), ".".join(version.groups()))), [])


if __name__ == "__main__":
    unittest.main()
