export { emitSquad, type VapiSquadConfig } from "./squad.ts";
