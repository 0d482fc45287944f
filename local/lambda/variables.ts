import { devNull } from 'node:os';
import { dirname } from 'node:path';
import type { FunctionDeclaration } from '../template/functions.ts';
import { REGION } from '../template/names.ts';

/**
 * The whole environment of a function: what Lambda sets, what the template declares, what the runtime adds. Nothing of
 * this process gets in, so a handler cannot lean on a variable it would not have when deployed.
 */
export function variablesOf(
  { name, file, memoryMiB, exportName, variables }: FunctionDeclaration,
  added: Record<string, string>,
): Record<string, string> {
  return {
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    // The SDK would otherwise read this person's own profile, with whatever endpoint or retry mode it sets.
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
