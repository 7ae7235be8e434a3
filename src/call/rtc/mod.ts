export { type IceServer, isServers, RTC_SERVERS } from "./ice_servers.ts";
export { loadRtc, type Rtc } from "./load.ts";
export { RTC_RATE } from "./opus.ts";
export { createRtcPeer, type RtcEvent, type RtcPeer } from "./peer.ts";
