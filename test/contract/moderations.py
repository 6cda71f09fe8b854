"""OpenAI's Python client, unmodified, against the moderation endpoint of a running service: BASE KEY."""
import sys

from openai import AuthenticationError, BadRequestError, OpenAI

MODELS = ("omni-moderation-latest", "omni-moderation-2024-09-26", "text-moderation-latest", "text-moderation-stable", "text-moderation-007")

base, key = sys.argv[1:]
client = OpenAI(api_key=key, base_url=f"{base}/v1", max_retries=0)


def illicit(answer):
    return [result.category_scores.illicit for result in answer.results]


def refused(kind, ask):
    try:
        ask()
    except kind as error:
        return error
    raise AssertionError(f"expected {kind.__name__}, but it was answered")


one = client.moderations.create(input="wrongdoing")
assert one.id.startswith("modr-") and one._request_id == one.id.replace("modr-", "req_"), one.id
assert illicit(one) == [0.9] and one.results[0].flagged and one.results[0].categories.illicit, one
assert one.results[0].categories.self_harm_instructions is False, one
assert one.results[0].category_applied_input_types.illicit == ["text"], one

for model in MODELS:
    several = client.moderations.create(model=model, input=["tea", "wrongdoing", "cake"])
    assert several.model == model and illicit(several) == [0.1, 0.9, 0.1], several

parts = client.moderations.create(input=[{"type": "text", "text": "tea"}, {"type": "text", "text": "wrongdoing"}])
assert illicit(parts) == [0.9], parts

unknown = refused(BadRequestError, lambda: client.moderations.create(model="gpt-5", input="x"))
assert (unknown.param, unknown.type) == ("model", "invalid_request_error") and unknown.request_id.startswith("req_"), unknown

wrong = refused(AuthenticationError, lambda: OpenAI(api_key="sk-wrong", base_url=f"{base}/v1", max_retries=0).moderations.create(input="x"))
assert (wrong.status_code, wrong.code) == (401, "invalid_api_key"), wrong

print("OpenAI's Python client is answered as its types say.")
