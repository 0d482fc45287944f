import { devNull } from 'node:os';
import { dirname } from 'node:path';
import type { FunctionDeclaration } from '../template/functions.ts';
import { REGION } from '../template/names.ts';

/**
 * All environment variables of a function: those of Lambda, of the template and of the runtime. Variables of this process
 * are not inherited, so a handler cannot depend on one that is missing after deployment.
 */
export function variablesOf(
  { name, file, memoryMiB, exportName, variables }: FunctionDeclaration,
  added: Record<string, string>,
): Record<string, string> {
  return {
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    // Otherwise the SDK would read the user's AWS profile, which may set an endpoint or a retry mode.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMiB),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    LAMBDA_TASK_ROOT: dirname(file),
    _HANDLER: `index.${exportName}`,
    TZ: ':UTC',
    ...variables,
    ...added,
  };
}
