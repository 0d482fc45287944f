import { memoize } from '../../platform/shared/caches/memoize.ts';

/**
 * Operations that call no model themselves: agents, workflows and tools of OpenTelemetry GenAI, and the chains, runs
 * and steps of frameworks. The usage they report is that of their child spans.
 */
const STRUCTURAL_OPERATION =
  /^(?:create_agent|invoke_agent|invoke_workflow|execute_tool|plan|retrieval|retrieve|fetch_response|agent|workflow|chain|tool|task|step|run|span|(?:.*_)?memory(?:_.*)?)$/;

const isStructural = memoize((operation) => STRUCTURAL_OPERATION.test(operation));

/** Whether an operation is a model call. Only model calls have a cost. An event without an operation counts as one. */
export const isInference = (operation: string | undefined): boolean =>
  operation === undefined || !isStructural(operation.toLowerCase());
