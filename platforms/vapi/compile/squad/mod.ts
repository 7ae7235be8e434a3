export { emitMember } from "./member.ts";
export { emitSquad, type VapiSquadConfig } from "./squad.ts";
