-- A request that fails, or is undone, finds its place among all answers that are kept for its account.
create index answers_by_request on answers (account_id, request_id);
