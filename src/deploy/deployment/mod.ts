export {
  byAddress,
  type Deployment,
  deploymentAs,
  emitted,
  engineWords,
  type FoundAgent,
  graphOf,
  openDeployment,
  readAgent,
  resourcesOfFormat,
} from "./deployment.ts";
export { withCreated } from "./with_created.ts";
export { checkWorkspace } from "./workspace.ts";
