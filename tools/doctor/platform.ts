import { engineProgram } from '../../local/engines/dynamodb/dynamodb.ts';

const SYSTEMS: Readonly<Record<string, string>> = { darwin: 'macOS', win32: 'Windows', linux: 'Linux' };

/** What to do on a system without the embedded database engine. */
const remedyOf = (platform: string, arch: string): string => {
  if (platform === 'linux' && arch === 'x64') return 'run npm ci without --omit=optional';
  const elsewhere =
    'or start DynamoDB Local and set AWS_ENDPOINT_URL_DYNAMODB to its address, such as http://127.0.0.1:8000';
  if (platform === 'win32') return `run npm ci and npm start inside WSL 2 on x64, ${elsewhere}`;
  return `open this folder in its devcontainer, which needs Docker, ${elsewhere}`;
};

/**
 * One sentence that says what to do if this machine has no embedded database engine and no endpoint replaces it. Null if
 * the service can start.
 */
export const platformProblem = (
  environment: Readonly<Record<string, string | undefined>>,
  platform: string = process.platform,
  arch: string = process.arch,
): string | null => {
  if (environment['AWS_ENDPOINT_URL_DYNAMODB'] || environment['AWS_ENDPOINT_URL']) return null;
  try {
    engineProgram(platform, arch);
    return null;
  } catch {
    const system = `${SYSTEMS[platform] ?? platform} ${arch}`;
    return `The embedded database engine is not available on ${system}: ${remedyOf(platform, arch)}.`;
  }
};
