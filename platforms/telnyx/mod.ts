export { emitTelnyxTests, importTelnyxTests, type TelnyxTest, type TelnyxTests } from "./assistant_tests.ts";
export { TELNYX } from "./facts.ts";
