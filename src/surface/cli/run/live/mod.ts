export { createLiveView, type LiveView } from "./live_view.ts";
