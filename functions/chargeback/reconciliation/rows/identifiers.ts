/** Azure Resource Manager compares the ids of accounts, subscriptions and resources without case, and its exports mix cases. */
const AZURE_PATH = /^\/(?:providers|subscriptions)\//i;

/** An identifier of a bill in the one spelling that its issuer compares. */
export const canonicalId = (id: string): string => (AZURE_PATH.test(id) ? id.toLowerCase() : id);
