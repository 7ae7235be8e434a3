export { type IceServer, isServers, RTC_SERVERS } from "./ice_servers.ts";
export { loadRtc } from "./load.ts";
export { RTC_RATE } from "./opus.ts";
export type { Rtc, RtcEvent, RtcPeer } from "./rtc.ts";
