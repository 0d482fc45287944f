import { Worker } from 'node:worker_threads';
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
  /** Takes what the handler prints. */
  print: (chunk: Buffer) => void;
  report: (usage: Usage) => void;
}

const ENVIRONMENT = new URL('./environment.ts', import.meta.url);
/** AWS stops an initialisation after 10 s; a small machine that starts many environments at once gets more. */
const INIT_LIMIT_MS = 30_000;
/** Lambda's limit for a synchronous answer: 6 MB and some room for the envelope. */
const PAYLOAD_LIMIT_BYTES = 6_291_556;

/** One execution environment. It runs one event at a time and is of no more use once `broken`. */
export class Sandbox {
  readonly #worker: Worker;
  readonly #timeoutMs: number;
  #settle: ((message: EnvironmentMessage) => void) | undefined;
  #ready = false;
  isBroken = false;

  constructor({ settings, variables, timeoutMs, print, report }: SandboxOptions) {
    this.#timeoutMs = timeoutMs;
    this.#worker = new Worker(ENVIRONMENT, {
      workerData: settings,
      env: variables,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: settings.memoryMiB },
    });
    this.#worker.stdout.on('data', print);
    this.#worker.stderr.on('data', print);
    this.#worker.on('message', (message: EnvironmentMessage) => {
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

  /** Runs one event. A time-out or a crash ends the environment, as it does in Lambda; it never throws. */
  async invoke(event: string, requestId: string): Promise<InvocationResult> {
    if (this.isBroken) return STOPPED;
    if (!this.#ready) {
      const loaded = await this.#answer(INIT_LIMIT_MS, 'Initialisation', () => {});
      if (loaded.type !== 'ready') return this.#discard(loaded);
      this.#ready = true;
    }
    const message: InvokeMessage = { requestId, event, deadline: Date.now() + this.#timeoutMs };
    const answer = await this.#answer(this.#timeoutMs, 'Task', () => this.#worker.postMessage(message));
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

  #answer(limitMs: number, what: string, begin: () => void): Promise<EnvironmentMessage> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        const seconds = (limitMs / 1000).toFixed(2);
        this.#break(failure('Sandbox.Timedout', `${what} timed out after ${seconds} seconds`));
        void this.#worker.terminate();
      }, limitMs);
      this.#settle = (message) => {
        clearTimeout(timer);
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
      error: message.type === 'failed' ? message.error : failure('Runtime.Unknown', 'Unexpected answer'),
    };
  }
}

/** What an invocation gets that comes after the end. */
export const STOPPED: InvocationResult = {
  ok: false,
  error: { errorType: 'Runtime.Stopped', errorMessage: 'The environment has ended', trace: [] },
};

const isTooLarge = (payload: string): boolean =>
  // Three bytes is the most one UTF-16 unit takes, so small answers need no count.
  payload.length * 3 > PAYLOAD_LIMIT_BYTES && Buffer.byteLength(payload) > PAYLOAD_LIMIT_BYTES;

const failure = (errorType: string, errorMessage: string, stack = ''): FunctionError => ({
  errorType,
  errorMessage,
  trace: stack.split('\n').filter(Boolean),
});
