import type { Worker } from 'node:worker_threads';
import type { UsedPermission } from '../permissions/authorizeCalls.ts';
import { startThread } from '../startThread.ts';
import { limitOwnTime, ownTimeMs } from './ownTime.ts';
import type {
  EnvironmentMessage,
  EnvironmentSettings,
  FunctionError,
  InvokeMessage,
  Usage,
} from './protocol.ts';

export type InvocationResult = { ok: true; payload: string } | { ok: false; error: FunctionError };

export interface SandboxOptions {
  settings: EnvironmentSettings;
  variables: Record<string, string>;
  timeoutMs: number;
  /** Receives the output of the handler. */
  print: (chunk: Buffer) => void;
  report: (usage: Usage) => void;
  onPermission: (used: UsedPermission) => void;
}

const ENVIRONMENT = new URL('./environment.ts', import.meta.url);
/** AWS limits initialisation to 10 s. A small machine that starts many environments at once needs more. */
const INIT_TIMEOUT_MS = 30_000;
const YOUNG_GENERATION_MIB = 16;
/** Lambda's limit for a synchronous response: 6 MB plus some room for the envelope. */
const PAYLOAD_LIMIT_BYTES = 6_291_556;

/** One execution environment. It processes one event at a time. Once `isBroken` is set, it must be replaced. */
export class Sandbox {
  readonly #worker: Worker;
  readonly #timeoutMs: number;
  #settle: ((message: EnvironmentMessage) => void) | undefined;
  #ready = false;
  isBroken = false;

  constructor({ settings, variables, timeoutMs, print, report, onPermission }: SandboxOptions) {
    this.#timeoutMs = timeoutMs;
    this.#worker = startThread(ENVIRONMENT, {
      workerData: settings,
      env: variables,
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: settings.memoryMiB,
        // V8 otherwise reserves up to 100 MB for new objects in each busy environment.
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB,
      },
    });
    this.#worker.stdout.on('data', print);
    this.#worker.stderr.on('data', print);
    this.#worker.on('message', (message: EnvironmentMessage) => {
      if (message.type === 'permission') {
        onPermission(message.used);
        return;
      }
      if ('usage' in message && message.usage) report(message.usage);
      this.#settle?.(message);
    });
    this.#worker.on('error', (error) =>
      this.#break(failure('Runtime.UnhandledError', error.message, error.stack)),
    );
    this.#worker.on('exit', (code) =>
      this.#break(failure('Runtime.ExitError', `Runtime exited with error: exit status ${code}`)),
    );
  }

  /** Processes one event. A timeout or a crash ends the environment, as in Lambda. Never throws. */
  async invoke(event: string, requestId: string): Promise<InvocationResult> {
    if (this.isBroken) return STOPPED;
    if (!this.#ready) {
      const loaded = await this.#waitForMessage(INIT_TIMEOUT_MS, 'Initialisation', () => {});
      if (loaded.type !== 'ready') return this.#discard(loaded);
      this.#ready = true;
    }
    const message: InvokeMessage = { requestId, event, deadline: Date.now() + this.#timeoutMs };
    const answer = await this.#waitForMessage(this.#timeoutMs, 'Task', () =>
      this.#worker.postMessage(message),
    );
    if (answer.type === 'error') return { ok: false, error: answer.error };
    if (answer.type !== 'result') return this.#discard(answer);
    if (isTooLarge(answer.payload)) {
      const text = `Response payload size exceeded maximum allowed payload size (${PAYLOAD_LIMIT_BYTES} bytes).`;
      return { ok: false, error: failure('Function.ResponseSizeTooLarge', text) };
    }
    return { ok: true, payload: answer.payload };
  }

  async stop(): Promise<void> {
    this.isBroken = true;
    await this.#worker.terminate();
  }

  #waitForMessage(timeoutMs: number, phase: string, begin: () => void): Promise<EnvironmentMessage> {
    return new Promise((resolve) => {
      const end = () => {
        const seconds = (timeoutMs / 1000).toFixed(2);
        this.#break(failure('Sandbox.Timedout', `${phase} timed out after ${seconds} seconds`));
        void this.#worker.terminate();
      };
      const cancel = limitOwnTime(timeoutMs, () => ownTimeMs(this.#worker), end);
      this.#settle = (message) => {
        cancel();
        this.#settle = undefined;
        resolve(message);
      };
      begin();
    });
  }

  #break(error: FunctionError): void {
    this.isBroken = true;
    this.#settle?.({ type: 'failed', error });
  }

  #discard(message: EnvironmentMessage): InvocationResult {
    void this.stop();
    return {
      ok: false,
      error:
        message.type === 'failed'
          ? message.error
          : failure('Runtime.Unknown', 'The environment sent an unexpected message'),
    };
  }
}

/** The result of an invocation after the environment has ended. */
export const STOPPED: InvocationResult = {
  ok: false,
  error: { errorType: 'Runtime.Stopped', errorMessage: 'The environment has ended', trace: [] },
};

const isTooLarge = (payload: string): boolean =>
  // A UTF-16 code unit takes at most three bytes in UTF-8, so small payloads need no exact count.
  payload.length * 3 > PAYLOAD_LIMIT_BYTES && Buffer.byteLength(payload) > PAYLOAD_LIMIT_BYTES;

const failure = (errorType: string, errorMessage: string, stack = ''): FunctionError => ({
  errorType,
  errorMessage,
  trace: stack.split('\n').filter(Boolean),
});
