export { CallScreen } from "./call.tsx";
