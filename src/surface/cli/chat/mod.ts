export { chatCommand } from "./chat_command.ts";
