export { TryPanel } from "./try_panel.tsx";
