"""Which argument a parameter gets in the per-function test, from its type, its name and its handle's role."""

import re

SUFFIXES = {
    "BOOL": "bool", "INT8": "int8_t", "INT16": "int16_t", "INT32": "int32_t", "INT64": "int64_t", "UINT8": "uint8_t",
    "UINT16": "uint16_t", "UINT32": "uint32_t", "UINT64": "uint64_t", "FP32": "float", "FP64": "double",
    "FC32": "GxB_FC32_t", "FC64": "GxB_FC64_t",
}
ELEMENTS = frozenset(SUFFIXES.values()) | {"void"}
# Options by the type of their value.
INT_FIELD, DOUBLE_FIELD = "GxB_SPARSITY_CONTROL", "GxB_BITMAP_SWITCH"

_INDEX_VALUES = {
    "i": "2", "j": "3", "k": "1", "ni": "N", "nj": "N", "n": "N", "m": "2", "nrows": "N", "ncols": "N", "nvals": "3",
    "nrows_new": "4", "ncols_new": "9",
}


class Unknown(Exception):
    """The generator has no argument for this parameter."""


class Arguments:
    """Chooses the arguments of one call; collects declarations before it and digests after it."""

    def __init__(self, function):
        self.function = function
        self.name = function["name"]
        self.user_defined = self.name.endswith("_UDT")
        self.roles = {handle["name"]: handle["role"] for handle in function["handles"]}
        self.inputs = {"GrB_Matrix": ["x.A", "x.B"], "GrB_Vector": ["x.u", "x.v"]}
        self.before, self.after = [], []

    def all(self):
        return [self._one(position, parameter) for position, parameter in enumerate(self.function["parameters"])]

    def _one(self, position, parameter):
        for chooser in (self._handle, self._operator, self._scalar_object, self._index, self._element, self._other):
            argument = chooser(position, parameter)
            if argument is not None:
                return argument
        raise Unknown(f"{self.name}: no argument for parameter '{parameter['type']} {parameter['name']}'")

    def _handle(self, position, parameter):
        if parameter["base"] not in self.inputs:
            return None
        role, kind = self.roles[parameter["name"]], parameter["base"]
        if role == "created":
            return self._made(kind)
        output = "x.C" if kind == "GrB_Matrix" else "x.w"
        if "kron" in self.name and kind == "GrB_Matrix" and (position == 0 or parameter["name"] in ("M", "Mask")):
            output = "x.K"
        if parameter["name"] in ("M", "Mask", "mask"):
            return "x.K" if output == "x.K" and not self.user_defined else ("x.M" if kind == "GrB_Matrix" else "x.m")
        if role in ("inout", "output", "freed") and position == 0:
            self.after.append(f'digest("output", {output});')
            return f"&{output}" if role == "freed" else output
        argument = self.inputs[kind].pop(0)
        self.after.append(f'digest("input", {argument});')
        return argument

    def _made(self, kind):
        """An object that the call makes."""
        self.before.append(f"{kind} made = nullptr;")
        self.after += ['digest("made", made);', f"{kind}_free(&made);"]
        return "&made"

    def _operator(self, _, parameter):
        name, base = parameter["name"], parameter["base"]
        if base == "GrB_BinaryOp":
            if name == "accum":
                return "x.accum"
            return "x.less" if name == "op" and self.name.endswith("_sort") else "x.binary"
        return {"GrB_UnaryOp": "x.unary", "GrB_IndexUnaryOp": "x.index_unary", "GrB_Monoid": "x.monoid",
                "GrB_Semiring": "x.semiring", "GxB_SelectOp": "GxB_GT_THUNK", "GrB_Descriptor": "nullptr",
                }.get(base)

    def _scalar_object(self, _, parameter):
        if parameter["base"] != "GrB_Scalar":
            return None
        role = self.roles[parameter["name"]]
        if role == "created":
            return self._made("GrB_Scalar")
        changed = role in ("inout", "output", "freed", "inputs")
        argument = "x.t" if changed else "x.s"
        self.after.append(f'digest("scalar", {argument});')
        return f"&{argument}" if parameter["pointers"] else argument

    def _index(self, _, parameter):
        if parameter["base"] != "GrB_Index":
            return None
        name = parameter["name"]
        if parameter["pointers"] == 0:
            present = re.search("Vector_(extractElement|isStored)", self.name)
            if name == "j" and self.name == "GrB_Matrix_removeElement":
                return "0"  # there is an entry
            return "3" if present and name == "i" else _INDEX_VALUES.get(name)
        if parameter["const"]:
            return "GrB_ALL" if re.search("assign|extract", self.name) else "indices"
        if name in ("I", "J"):
            self.before.append(f"GrB_Index out_{name}[64] = {{}};")
            self.after.append(f'digest_bytes("{name}", out_{name}, sizeof out_{name});')
            return f"out_{name}"
        self.before.append(f"GrB_Index out_{name} = 64;")
        self.after.append(f'digest_bytes("{name}", &out_{name}, sizeof out_{name});')
        return f"&out_{name}"

    def _element(self, _, parameter):
        base, name = parameter["base"], parameter["name"]
        if base not in ELEMENTS or name not in ("x", "y", "c", "X"):
            return None
        if base == "void":
            base = "Pair"
        if parameter["pointers"] == 0:
            return f"{base}(1)" if "_select" in self.name else f"{base}(2)"
        if parameter["const"] and name == "X":
            values = "{{1, 2}, {3, 4}, {5, 6}}" if base == "Pair" else f"{{{base}(1), {base}(0), {base}(3)}}"
            self.before.append(f"const {base} values[] = {values};")
            return "values"
        if self.user_defined and (parameter["const"] or re.search("assign|setElement", self.name)):
            self.before.append("Pair scalar{3, 1};")
            return "&scalar"
        self.before.append(f"{base} out_{name}[64] = {{}};")
        self.after.append(f'digest_bytes("{name}", out_{name}, sizeof out_{name});')
        return f"out_{name}"

    def _other(self, _, parameter):
        base, name, pointers = parameter["base"], parameter["name"], parameter["pointers"]
        if base == "int64_t" and pointers == 0:
            return "0" if self.name.startswith("GxB_") else "1"  # GxB_*_diag: the output has N rows
        if base == "bool" and pointers == 0:
            return "false"
        if base == "GrB_Type" and pointers == 0:
            return "x.type"
        if base == "GrB_Type":
            self.before.append("GrB_Type out_type = nullptr;")
            self.after.append('std::printf("  type %d\\n", out_type == x.type);')
            return "&out_type"
        if base == "bool":
            self.before.append(f"bool out_{name} = false;")
            self.after.append(f'std::printf("  {name} %d\\n", out_{name});')
            return f"&out_{name}"
        if base == "char" and pointers == 1:
            self.before.append("char text[GxB_MAX_NAME_LEN] = {};")
            self.after.append('std::printf("  text %s\\n", text);')
            return "text"
        if base == "char" and pointers == 2:
            self.before.append("const char* text = nullptr;")
            self.after.append('std::printf("  text %s\\n", text);')
            return "&text"
        if name == "waitmode":
            return "GrB_MATERIALIZE"
        return None
