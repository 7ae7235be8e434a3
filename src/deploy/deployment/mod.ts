export {
  byAddress,
  checkWorkspace,
  type Deployment,
  deploymentAs,
  emitted,
  engineWords,
  type FoundAgent,
  graphOf,
  openDeployment,
  readAgent,
  resourcesOfFormat,
  withCreated,
} from "./deployment.ts";
