export { TalkScreen } from "./talk.tsx";
