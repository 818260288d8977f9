"""Free text as it is written: pieces in order, and the whole in the end."""

from collections.abc import Callable
from typing import Any

from pipeline.language.transport.providers import Client
from pipeline.language.transport.structured import RawReply, raw_reply, spoken


class BrokenOff(Exception):
    """A stream that ended in its middle: what was shown cannot be taken back, so the text is requested whole."""


async def stream(client: Client, messages: list[Any], show: Callable[[str], None]) -> RawReply:
    """Show the pieces as they come, without what the model thinks before it speaks, and return the whole."""
    whole: Any = None
    written, shown = "", 0
    body = {"extra_body": client.body} if client.body else {}
    try:
        async for chunk in client.chat.astream(messages, **body):
            whole = chunk if whole is None else whole + chunk
            written += raw_reply(chunk).text or ""
            text = spoken(written)
            if len(text) > shown:
                show(text[shown:])
                shown = len(text)
    except Exception as error:
        if not written:
            raise
        raise BrokenOff(f"the answer broke off: {type(error).__name__}") from error
    if whole is None:
        raise ValueError("the stream was empty")
    about = raw_reply(whole)
    if written and not about.ended and client.protocol:
        raise BrokenOff("the answer broke off: the server closed the stream without saying that it was done")
    return RawReply(written, about.ended, about.refusal, (), about.tokens_in, about.tokens_out)
