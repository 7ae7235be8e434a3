export {
  type Adapter,
  addressOf,
  linkIds,
  type NumberTarget,
  type PhoneNumber,
  type PlannedRelease,
  type RemoteResource,
  type Resource,
  type ResourceIds,
  unlinkIds,
} from "./deploying/mod.ts";
export type { PlatformFacts, SystemVariables } from "./facts.ts";
export {
  destinationsIn,
  isOwner,
  missingDestinations,
  PLATFORM_NAMES,
  type PlatformName,
  systemValues,
} from "./known/mod.ts";
export { type DocumentShape, merge, type OpenedDocument } from "./lens/mod.ts";
export type { EmitOptions, Emitted, EmittedFile, Finding, Format, Loss, PlainEmitted } from "./platform.ts";
export {
  argumentsFrom,
  CallDraft,
  type CallList,
  type CallPage,
  type CallReader,
  factsFrom,
  type ListedCall,
  NotACallError,
  outcomeOf,
  type RecordedCall,
  type RecordPlace,
  readLabelledText,
  type Stretch,
  textAt,
  timeFrom,
  transitionText,
  type UnreadableCall,
} from "./reading/mod.ts";
export {
  type AnyFormatName,
  type CheckFormat,
  checkFormat,
  DEPLOY_FORMATS,
  type DeployFormat,
  emit,
  type FormatInfo,
  type FormatName,
  formatNamed,
  formats,
  type Imported,
  importAgent,
  PLATFORMS,
  PULL_PLATFORMS,
  platformOf,
  READ_PLATFORMS,
} from "./registry/mod.ts";
export { serveLocally } from "./serving/mod.ts";
export { type CarriedSetting, type VendorVoice, VOICE_VENDORS, voiceWords } from "./voices.ts";
