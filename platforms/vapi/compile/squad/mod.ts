export { emitMember } from "./member.ts";
export { emitSquad } from "./squad.ts";
