/** The name of the stack of an environment. Two environments can share an account. */
export const stackNameOf = (environment: string): string => `inference-attribution-${environment}`;
