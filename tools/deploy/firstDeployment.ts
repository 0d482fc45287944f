/**
 * States of a stack whose first creation has not succeeded. The CDK command deletes such a stack and creates it again,
 * which fails if a resource in it is protected from deletion.
 */
const UNCREATED = new Set(['REVIEW_IN_PROGRESS', 'CREATE_FAILED', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED']);

/** Whether a deployment creates the stack. `status` is undefined when there is no such stack. */
export const isFirstDeployment = (status: string | undefined): boolean =>
  status === undefined || UNCREATED.has(status);

/** The argument lists of the CDK commands, in order. Protection is added after the first creation has succeeded. */
export const deployCommands = (status: string | undefined, args: readonly string[]): string[][] => {
  // With CloudFront there are two stacks.
  const deployment = ['deploy', '--all', ...args];
  return isFirstDeployment(status)
    ? [[...deployment, '--context', 'protection=false'], deployment]
    : [deployment];
};

/** The value of a context setting in CDK arguments. The last one counts, as in the CDK command. */
export const contextOf = (args: readonly string[], name: string): string | undefined =>
  args
    .flatMap((arg, index) => {
      if (arg === '-c' || arg === '--context') return [args[index + 1] ?? ''];
      return arg.startsWith('--context=') ? [arg.slice('--context='.length)] : [];
    })
    .filter((text) => text.startsWith(`${name}=`))
    .at(-1)
    ?.slice(name.length + 1);
