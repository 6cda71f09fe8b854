import { afterAll } from "bun:test"
import { stopService } from "./service.ts"

afterAll(stopService, 30_000)
