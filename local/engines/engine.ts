/** An AWS service that runs on this machine. */
export interface Engine {
  url: string;
  stop(): Promise<void>;
}
