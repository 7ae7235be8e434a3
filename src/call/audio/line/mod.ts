export { overPhone } from "./phone_line.ts";
export { atRate, readWave, type Sound, writeWave } from "./wave.ts";
