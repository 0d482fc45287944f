/**
 * The external id of a resource: its own id. The service generates it, it belongs to one resource of one tenant for ever, and
 * no caller can choose it. It is no secret.
 */
export const externalIdOf = (resourceId: string): string => resourceId;
