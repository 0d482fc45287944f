/**
 * The external id of a source: its own id. The service generates it, it belongs to one source of one tenant for ever, and no
 * caller can choose it. It is no secret.
 */
export const externalIdOf = (sourceId: string): string => sourceId;
