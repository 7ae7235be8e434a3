export type { PlatformName } from "../src/document/platforms/mod.ts";
export type {
  AllOf,
  AnyOf,
  Equation,
  Join,
  OperatorOf,
  OperatorsOf,
  ReadyCondition,
  RightSide,
  VariableReference,
  When,
} from "./condition.ts";
export type { Declarations, Placeholder } from "./declarations.ts";
export type { DocumentFields, DocumentOption } from "./document_fields.ts";
export type { Edge, EdgeKit, EdgeOptions, GoBack, Next, Otherwise, OtherwiseOptions, To } from "./edges.ts";
export { type EjectedFile, type EjectOptions, eject, type FlowModule, scenarioModule } from "./eject/mod.ts";
export { env } from "./env.ts";
export {
  type CheckSnippets,
  type Compile,
  type DeclarationsOf,
  type DeclaredTwice,
  type Filled,
  type Flow,
  type FlowOptions,
  type FlowTexts,
  flow,
  type NewId,
} from "./flow.ts";
export type { FlowDefinition, FlowGraph } from "./flow_graph.ts";
export type * from "./generated/mod.ts";
export type {
  CommonOptions,
  ConversationNodeOptions,
  DefinedNode,
  EndOptions,
  ExtractOptions,
  FunctionOptions,
  GlobalNodeOptions,
  GlobalOptions,
  KitOf,
  LogicOptions,
  LooseOptions,
  NodeDefinition,
  NodeKind,
  NodeKit,
  SpeechOptions,
  TransferOptions,
  TransferTarget,
} from "./nodes.ts";
export { type Part, type PartOptions, part } from "./part.ts";
export type {
  AnyFields,
  CallweaveFields,
  FieldsOf,
  FlowSettings,
  LoosePlatformOptions,
  PlatformFields,
  PlatformOptions,
} from "./platform_fields.ts";
export type { CheckText } from "./prompt.ts";
export {
  type AnyVariable,
  type AtLeastOne,
  type PlatformValues,
  type PointOf,
  type PointsOf,
  type PolicyKit,
  policy,
  type ScenarioDraft,
  type ScenarioNames,
  scenario,
  type ToolNamed,
  type ValuesOf,
} from "./scenarios/mod.ts";
export type {
  AnyName,
  ArgsOf,
  ArgumentsIn,
  ArgumentsOut,
  AtLeast,
  FromJsonSchema,
  KnownTool,
  MockAnswer,
  MockOf,
  ToolParameters,
  TypedTool,
} from "./tools/mod.ts";
export { type AnyTool, type Tool, type ToolOptions, tool } from "./tools/mod.ts";
export type { FlowTypeError } from "./type_error.ts";
export {
  boolean,
  choice,
  number,
  type TextVariable,
  text,
  type Variable,
  type VariableKind,
  type VariableOptions,
  type Variables,
} from "./variables.ts";
