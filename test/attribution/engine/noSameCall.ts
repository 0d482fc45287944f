const nothing = async (): Promise<void> => undefined;

/** For tests in which no call has two records. */
export const noSameCall = { join: nothing, recognize: nothing, completeUsage: nothing };
