"""Calls the client as the cases on standard input say, and writes how each call ended. For the table of all clients."""
from __future__ import annotations

import asyncio
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict

from inference_attribution import ApiError, AsyncClient, Client, ConfigurationError, ConnectionFailedError


async def _stopped(client: AsyncClient, seconds: float) -> Any:
    return await asyncio.wait_for(client.get_attribution("rec_1"), seconds)


def _call(case: Dict[str, Any], timeout: float) -> Any:
    action = case["action"]
    is_oauth = action["do"] == "read as OAuth client"
    given: Any = {"client_id": "cli_1", "client_secret": case["secret"]} if is_oauth else {"api_key": case["secret"]}
    if action["do"] == "read in time":
        given.update(timeout=timeout, retries=0)
    if action["do"] == "read and stop":
        return asyncio.run(_stopped(AsyncClient(case["baseUrl"], **given), timeout))
    client = Client(case["baseUrl"], **given)
    if action["do"] == "change":
        return client.confirm_cost("rec_1")
    if action["do"] == "list":
        return client.list_attribution({"owner[in]": action["owners"]}).first()
    if action["do"] == "list without":
        return client.list_attribution({"owner": action["owner"]}).first()
    return client.get_attribution(action.get("id", "rec_1"))


def _outcome(case: Dict[str, Any], timeout: float) -> Dict[str, str]:
    try:
        return {"ends": "answer", "text": json.dumps(_call(case, timeout))}
    except ConfigurationError as error:
        return {"ends": "not sent", "text": str(error)}
    except ConnectionFailedError as error:
        return {"ends": "no answer", "text": str(error)}
    except ApiError as error:
        return {"ends": "error", "text": str(error)}
    except asyncio.TimeoutError:
        return {"ends": "stopped", "text": ""}


def main() -> None:
    given = json.load(sys.stdin)
    cases = given["cases"]
    with ThreadPoolExecutor(len(cases)) as pool:
        outcomes = pool.map(lambda case: _outcome(case, given["timeout"]), cases)
        json.dump(list(outcomes), sys.stdout)


if __name__ == "__main__":
    main()
