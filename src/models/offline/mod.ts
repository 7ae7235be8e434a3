export { answerByRule } from "./answer.ts";
