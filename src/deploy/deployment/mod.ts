export {
  byAddress,
  type Deployment,
  emitted,
  type FoundAgent,
  graphOf,
  openDeployment,
  readAgent,
} from "./deployment.ts";
export { withCreated } from "./with_created.ts";
export { checkWorkspace } from "./workspace.ts";
