"""Where models are trained, and in which precision."""
import torch

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
HALF = DEVICE.type == "cuda" or any(torch.cpu.get_capabilities().get(unit) for unit in ("amx_bf16", "avx512_bf16"))


def mixed() -> torch.autocast:
    """Products in bfloat16 where they are the faster ones: on a GPU, and on a CPU with matrix units. Without those a product in
    bfloat16 takes a CPU nearly twice as long as in float32."""
    return torch.autocast(DEVICE.type, dtype=torch.bfloat16, enabled=HALF)


def moved(batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """A batch with all its arrays on DEVICE."""
    return {name: array.to(DEVICE) for name, array in batch.items()}
