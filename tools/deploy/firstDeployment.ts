/**
 * States of a stack whose first creation has not succeeded. The CDK command deletes such a stack and creates it again,
 * which fails if a resource in it is protected from deletion.
 */
const UNCREATED = new Set(['REVIEW_IN_PROGRESS', 'CREATE_FAILED', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED']);

/** Whether a deployment creates the stack. `status` is undefined when there is no such stack. */
export const isFirstDeployment = (status: string | undefined): boolean =>
  status === undefined || UNCREATED.has(status);

/**
 * The argument lists of the CDK commands, in order. Only the stack of data is protected, once its first creation has
 * succeeded.
 */
export const deployCommands = (
  dataStack: string,
  status: string | undefined,
  args: readonly string[],
): string[][] => {
  const deployment = ['deploy', '--all', ...args];
  return isFirstDeployment(status)
    ? [['deploy', dataStack, ...args, '--context', 'protection=false'], deployment]
    : [deployment];
};
