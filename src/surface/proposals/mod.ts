export { isProposedPath } from "./allowed_paths.ts";
export { formatProposal, type Proposal, type ProposedFile } from "./patch_text.ts";
export {
  type AcceptedFile,
  acceptProposal,
  createProposal,
  listProposals,
  type NewProposal,
  readProposal,
  rejectProposal,
  type StoredProposal,
} from "./proposals.ts";
export { type ChangedFile, changeModule, inSourceFormat, type LoadModuleGraph } from "./source/mod.ts";
