export { type EmittedTestCases, emitTestCases, importTestCases, type TestCase } from "./emit.ts";
