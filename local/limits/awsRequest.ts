/** A response of AWS, as sent over the network. */
export interface AwsAnswer {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

/** A call that an AWS client of a function publishes on the channel `aws.request` before it sends it. */
export interface AwsRequest {
  readonly service: string;
  readonly operation: string;
  input: object;
  /** Fails the call before anything is sent. */
  refusal?: Error;
  /** Runs before each attempt. An answer replaces the one of AWS. */
  answer?: () => AwsAnswer | undefined;
  /** Runs after the call. The output is undefined if it failed. */
  finish?: (output: object | undefined) => void;
}
