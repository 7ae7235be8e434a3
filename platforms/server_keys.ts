/** Keys that Vapi's servers add to responses. Imports ignore them, and requests with them are rejected. */
export const VAPI_SERVER_KEYS: readonly string[] = [
  ...["id", "orgId", "createdAt", "updatedAt", "latestVersion", "analyticsMetadata", "isDeleted"],
  ...["isServerUrlSecretSet", "workflowIds"],
];

/** Keys that Retell's servers add to responses: ids, versions and dates. Requests with them change nothing. */
export const RETELL_SERVER_KEYS: readonly string[] = [
  ...["agent_id", "conversation_flow_id", "llm_id", "version", "base_version", "is_published"],
  ...["last_modification_timestamp", "user_modified_timestamp", "assigned_tags", "channel"],
  ...["conversation_flow_component_id", "linked_conversation_flow_ids"],
];
