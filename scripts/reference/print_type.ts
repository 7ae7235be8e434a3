/** A type as `deno doc --json` describes it: a kind, and a value whose shape depends on the kind. */
export interface TypeNode {
  readonly kind: string;
  readonly repr?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tool has no types for its output; this file is the only reader
  readonly value?: any;
}

/** A parameter of a function. */
export interface Parameter {
  readonly kind: string;
  readonly name?: string;
  readonly optional?: boolean;
  readonly tsType?: TypeNode;
  readonly left?: Parameter;
  readonly arg?: Parameter;
}

/** A type parameter. */
export interface TypeParameter {
  readonly name: string;
  readonly constraint?: TypeNode;
  readonly default?: TypeNode;
  readonly isConst?: boolean;
}

/** Prints a type as TypeScript. */
export function printType(type: TypeNode | undefined): string {
  if (!type) return "unknown";
  const { kind, value, repr = "" } = type;
  switch (kind) {
    case "literal":
      return printLiteral(value);
    case "typeRef":
      return `${value.typeName}${value.typeParams ? `<${value.typeParams.map(printType).join(", ")}>` : ""}`;
    case "union":
      return value.map((each: TypeNode) => wrapped(each, ["fnOrConstructor", "conditional"])).join(" | ");
    case "intersection":
      return value.map((each: TypeNode) => wrapped(each, ["union", "fnOrConstructor", "conditional"])).join(" & ");
    case "array":
      return `${wrapped(value, ["union", "intersection", "fnOrConstructor", "conditional", "typeOperator", "infer"])}[]`;
    case "tuple":
      return `[${value.map(printType).join(", ")}]`;
    case "rest":
      return `...${printType(value)}`;
    case "optional":
      return `${printType(value)}?`;
    case "parenthesized":
      return `(${printType(value)})`;
    case "typeOperator":
      return `${value.operator} ${printType(value.tsType)}`;
    case "typeQuery":
      return `typeof ${typeof value === "string" ? value : repr}`;
    case "indexedAccess":
      return `${wrapped(value.objType, ["union", "typeQuery", "typeOperator"])}[${printType(value.indexType)}]`;
    case "conditional":
      return `${printType(value.checkType)} extends ${printType(value.extendsType)} ? ${printType(value.trueType)} : ${printType(value.falseType)}`;
    case "infer":
      return `infer ${printTypeParameter(value.typeParam)}`;
    case "mapped":
      return printMapped(value);
    case "typeLiteral":
      return printLiteralType(value);
    case "fnOrConstructor":
      return `${value.constructor === true ? "new " : ""}${printTypeParameters(value.typeParams)}(${printParameters(value.params)}) => ${printType(value.tsType)}`;
    case "typePredicate":
      return `${value.param?.name ?? "this"} is ${printType(value.type)}`;
    default:
      return repr || String(value ?? kind);
  }
}

function wrapped(type: TypeNode, kinds: readonly string[]): string {
  const text = printType(type);
  return kinds.includes(type.kind) && !text.startsWith("(") ? `(${text})` : text;
}

// biome-ignore lint/suspicious/noExplicitAny: see TypeNode
function printLiteral(value: any): string {
  if (value.kind === "string") return JSON.stringify(value.string);
  if (value.kind === "template")
    return `\`${value.tsTypes.map((each: TypeNode) => (each.kind === "literal" ? each.value.string : `\${${printType(each)}}`)).join("")}\``;
  return String(value[value.kind]);
}

// biome-ignore lint/suspicious/noExplicitAny: see TypeNode
function printMapped(value: any): string {
  const { typeParam, nameType } = value;
  const as = nameType ? ` as ${printType(nameType)}` : "";
  const optional = value.optional === undefined ? "" : value.optional === true || value.optional === "+" ? "?" : "-?";
  return `{ ${value.readonly ? "readonly " : ""}[${typeParam.name} in ${printType(typeParam.constraint)}${as}]${optional}: ${printType(value.tsType)} }`;
}

// biome-ignore lint/suspicious/noExplicitAny: see TypeNode
function printLiteralType(value: any): string {
  const members = printMembers(value).map(({ text }) => text);
  return members.length === 0 ? "{}" : `{ ${members.join("; ")} }`;
}

/** A member of an object type. */
export interface PrintedMember {
  readonly name: string;
  readonly text: string;
  readonly doc: string;
}

/** The members of an interface, a class or an object type. */
// biome-ignore lint/suspicious/noExplicitAny: see TypeNode
export function printMembers(def: any): readonly PrintedMember[] {
  // biome-ignore lint/suspicious/noExplicitAny: see TypeNode
  const docOf = (each: any) => String(each.jsDoc?.doc ?? "").trim();
  // biome-ignore lint/suspicious/noExplicitAny: see TypeNode
  const visible = (each: any) => each.accessibility !== "private" && !String(each.name ?? "").startsWith("#");
  return [
    // biome-ignore lint/suspicious/noExplicitAny: see TypeNode
    ...(def.indexSignatures ?? []).map((each: any) => ({
      name: "",
      text: `${each.readonly ? "readonly " : ""}[${printParameters(each.params)}]: ${printType(each.tsType)}`,
      doc: docOf(each),
    })),
    // biome-ignore lint/suspicious/noExplicitAny: see TypeNode
    ...(def.callSignatures ?? []).map((each: any) => ({
      name: "",
      text: `${printTypeParameters(each.typeParams)}(${printParameters(each.params)}): ${printType(each.tsType)}`,
      doc: docOf(each),
    })),
    // biome-ignore lint/suspicious/noExplicitAny: see TypeNode
    ...(def.properties ?? []).filter(visible).map((each: any) => ({
      name: each.name,
      text: `${each.readonly ? "readonly " : ""}${printKey(each.name)}${each.optional ? "?" : ""}: ${printType(each.tsType)}`,
      doc: docOf(each),
    })),
    // biome-ignore lint/suspicious/noExplicitAny: see TypeNode
    ...(def.methods ?? []).filter(visible).map((each: any) => {
      const shape = each.functionDef ?? each;
      const returns = printType(shape.returnType);
      const text =
        each.kind === "getter"
          ? `readonly ${printKey(each.name)}: ${returns}`
          : `${printKey(each.name)}${printTypeParameters(shape.typeParams)}(${printParameters(shape.params)}): ${returns}`;
      return { name: each.name, text, doc: docOf(each) };
    }),
  ];
}

function printKey(name: string): string {
  return /^[\w$]+$/.test(name) || name.startsWith("[") ? name : JSON.stringify(name);
}

/** The parameters of a function, without its parentheses. */
export function printParameters(parameters: readonly Parameter[] = []): string {
  return parameters
    .map((each): string => {
      if (each.kind === "assign" && each.left) return printParameters([{ ...each.left, optional: true }]);
      if (each.kind === "rest" && each.arg) return `...${each.arg.name}: ${printType(each.tsType ?? each.arg.tsType)}`;
      return `${each.name ?? "options"}${each.optional ? "?" : ""}: ${printType(each.tsType)}`;
    })
    .join(", ");
}

/** Type parameters with their brackets; nothing where there are none. */
export function printTypeParameters(parameters: readonly TypeParameter[] = []): string {
  return parameters.length === 0 ? "" : `<${parameters.map(printTypeParameter).join(", ")}>`;
}

function printTypeParameter({ name, constraint, default: fallback, isConst }: TypeParameter): string {
  const bound = constraint ? ` extends ${printType(constraint)}` : "";
  return `${isConst ? "const " : ""}${name}${bound}${fallback ? ` = ${printType(fallback)}` : ""}`;
}
