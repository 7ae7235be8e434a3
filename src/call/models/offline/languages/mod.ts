export { createTongue, languagesOf } from "./create_tongue.ts";
