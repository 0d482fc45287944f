/** For tests in which no call has two records. */
export const noSameCall = { join: async () => undefined, recognize: async () => undefined };
