export { type Connections, connect, type OwnConnections, type PlatformConnections } from "./connect.ts";
export { connectTo, type ParsedReference, parseReference, referenceForms, speaks } from "./reference.ts";
